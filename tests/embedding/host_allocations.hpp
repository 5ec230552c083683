#pragma once

#include <cstdint>

/// What this thread has asked of the host's heap: by operator new, and by malloc
/// and its relatives altogether. Nothing is counted while a NotCounted lives, nor
/// in builds with a sanitizer, which has its own heap.
struct HostAllocations {
  std::uint64_t by_new = 0;
  std::uint64_t all = 0;

  static HostAllocations so_far();
  static bool counted();
  bool operator==(const HostAllocations&) const = default;
};

/// Work of someone else's.
class NotCounted {
 public:
  NotCounted();
  ~NotCounted();
  NotCounted(const NotCounted&) = delete;
  NotCounted& operator=(const NotCounted&) = delete;
};
