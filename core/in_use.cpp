#include "in_use.hpp"

#include "proxel/error.hpp"
#include "watch.hpp"

namespace proxel {

InUse::Scope::Scope(InUse& object, const char* what, Again again) : object_(&object) {
  const std::thread::id self = std::this_thread::get_id();
  std::thread::id user;
  if (object.user_.compare_exchange_strong(user, self, std::memory_order_acquire)) return;
  object_ = nullptr;
  if (user != self)
    throw Error(ErrorCode::invalid_argument, what,
                "is used by another thread; a device and what is made from it serve one thread at a time");
  if (again == Again::refused || Watch::looking())
    throw Error(ErrorCode::invalid_argument, what, "is used by the call whose progress is told");
}

InUse::Scope::~Scope() {
  if (object_) object_->user_.store({}, std::memory_order_release);
}

}  // namespace proxel
