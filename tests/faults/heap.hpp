#pragma once

#include <cstdint>

namespace proxel::faults {

/// Whose allocations fail and are counted.
enum class HeapScope {
  process,  ///< of every thread
  thread,   ///< of the thread that says so, but for those made while a NotOurs lives
};

/// The heap of this program: operator new, malloc and its relatives; in builds with a sanitizer, which has
/// a heap of its own, operator new and the aligned memory of the library alone.
struct Heap {
  static void set_scope(HeapScope scope);

  /// Allocation number `place`, from 0, finds no memory.
  /// @param lasting  and none after it does
  static void fail_from(std::uint64_t place, bool lasting);
  /// All find memory again. Returns whether any has failed.
  static bool restore();
  /// Allocations since fail_from().
  static std::uint64_t asked();
  /// Allocations that have not been freed, as a difference from another time.
  static std::int64_t live();
};

/// Work of a driver's.
class NotOurs {
 public:
  NotOurs();
  ~NotOurs();
  NotOurs(const NotOurs&) = delete;
  NotOurs& operator=(const NotOurs&) = delete;
};

}  // namespace proxel::faults
