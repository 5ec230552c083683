#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

namespace proxel::cpu {

/// Threads that share the items of one loop at a time. The calling thread
/// works too, so one thread means no threads beside it.
class Workers {
 public:
  /// Where the system starts fewer threads, for want of memory or because it allows no
  /// more, those that there are do the work: the calling thread alone, if need be.
  explicit Workers(std::uint32_t thread_count);
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  std::uint32_t thread_count() const { return static_cast<std::uint32_t>(threads_.size()) + 1; }

  /// Calls body(item) for 0 … count - 1, each once, in any order and from any
  /// of the threads; returns when all have finished. An exception of a body
  /// ends the loop early and is thrown here. Allocates nothing.
  template <typename Body>
  void for_each(std::uint64_t count, const Body& body) {
    run(count, {&body, [](const void* of, std::uint64_t item) { (*static_cast<const Body*>(of))(item); }});
  }

  /// To be called by the body of an item that takes more than a few milliseconds, now and then: throws where the
  /// loop has ended, and lets the Watch of the calling thread look.
  static void look();

 private:
  struct Task {
    const void* body;
    void (*call)(const void* body, std::uint64_t item);
  };
  struct Loop;
  void run(std::uint64_t count, Task task);
  void serve();
  void wait_for_others(Loop& loop);
  static thread_local Loop* current_;  // that this thread takes part in

  std::vector<std::thread> threads_;
  std::mutex mutex_;
  std::condition_variable started_;
  std::condition_variable finished_;
  Loop* loop_ = nullptr;
  std::uint64_t generation_ = 0;
  std::size_t busy_ = 0;
  bool stopping_ = false;
};

}  // namespace proxel::cpu
