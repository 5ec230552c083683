#pragma once

#include <atomic>
#include <thread>

namespace proxel {

/// Notices that an object which serves one thread at a time is used by two.
class InUse {
 public:
  /// Whether a thread may use what it uses already.
  enum class Again { refused, allowed };

  /// One use of the object.
  class Scope {
   public:
    /// Throws Error(invalid_argument) that names `what` where it is in use: by another thread, or by this one,
    /// which is then told of its progress.
    Scope(InUse& object, const char* what, Again again = Again::refused);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    InUse* object_;  // null: of a use outside of this one
  };

 private:
  std::atomic<std::thread::id> user_{};
};

}  // namespace proxel
