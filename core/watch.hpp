#pragma once

// What is called while a thread waits for a device, so that a caller hears of long work and can end it.

#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>

namespace proxel {

/// Watches over the work that its thread submits and waits for, as long as it lives. One that was there before
/// comes back afterwards. Devices look at it: the host between the items of a pass, the others while they wait.
class Watch {
 public:
  using Clock = std::chrono::steady_clock;
  /// Called now and then. What it throws ends the work: on the host at once, elsewhere as soon as what has been
  /// submitted is done.
  /// @param part  of the submission that is done, 0 … 1, as far as the device knows
  using Look = std::function<void(double part)>;

  explicit Watch(Look look);
  ~Watch();
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  /// That of the calling thread, or null.
  static Watch* current();

  /// Whether a function of this thread's is being called, which must not use what is waited for.
  static bool looking();

  /// Calls the function, unless it was called a moment ago.
  void look(double part);
  /// Has that of the calling thread look, if there is one: for long work of the host's own.
  static void glance();
  /// The next submission's parts are told as parts of the whole: this says where it begins, and its share.
  void take(double first, double share) { first_ = first, share_ = share; }
  /// Counts as a call that was made just now.
  void looked() { latest_ = Clock::now(); }

  /// How long a moment is.
  static std::chrono::nanoseconds interval();
  /// For tests, which have no time to wait. Set while nothing is watched.
  static void set_interval(std::chrono::nanoseconds interval);

 private:
  Look look_;
  Watch* outer_;
  double first_ = 0, share_ = 1;
  bool ended_ = false;  // something was thrown
  Clock::time_point latest_;
};

/// Waits for work that goes on whatever is thrown meanwhile, and then throws it.
/// @param wait  (limited): waits and returns whether the work is over; not much longer than Watch::interval() where
///              `limited` is set, otherwise until it is
template <typename Wait>
void wait_watched(const Wait& wait) {
  std::exception_ptr ended;
  Watch* watch = Watch::current();
  while (!wait(watch != nullptr)) {
    try {
      watch->look(0);
    } catch (...) {
      ended = std::current_exception();
      watch = nullptr;
    }
  }
  if (ended) std::rethrow_exception(ended);
}

}  // namespace proxel
