#include "watch.hpp"

#include <atomic>
#include <utility>

namespace proxel {
namespace {

thread_local Watch* watching = nullptr;
thread_local unsigned looks = 0;  // that go on, one inside the other
std::atomic<std::chrono::nanoseconds> between_looks{std::chrono::milliseconds(100)};

}  // namespace

Watch::Watch(Look look) : look_(std::move(look)), outer_(std::exchange(watching, this)), latest_(Clock::now()) {}

Watch::~Watch() { watching = outer_; }

Watch* Watch::current() { return watching; }
bool Watch::looking() { return looks != 0; }

void Watch::look(double part) {
  if (ended_ || Clock::now() - latest_ < interval()) return;
  // Once: what is destroyed on the way out may wait as well.
  ended_ = true;
  struct Looking {
    Looking() { ++looks; }
    ~Looking() { --looks; }
  } const looking;
  look_(first_ + part * share_);
  ended_ = false;
  looked();
}

void Watch::glance() {
  if (watching) watching->look(0);
}

std::chrono::nanoseconds Watch::interval() { return between_looks.load(std::memory_order_relaxed); }

void Watch::set_interval(std::chrono::nanoseconds interval) { between_looks = interval; }

}  // namespace proxel
