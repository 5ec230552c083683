#pragma once

// The range of distance keys that the one of a rank lies in, narrowed by counting.

#include <cstdint>

#include "kernels/order.cuh"

namespace proxel::cuda {

/// Where values lie evenly their keys do not: so the next key to count up to is that of the value where the rank is expected to be. Where
/// that has taken away less than half of the range, the range is halved next. Values at the end of a tail do not lie evenly: of what
/// screening collects halving finds the rank sooner.
struct KeyRange {
  std::uint32_t low, high;  // the key of that rank is one of these, and of those between
  unsigned reached;         // at most so many keys are not above `high`
  bool even;                // whether values lie evenly, more or less; else the range is always halved
  unsigned below = 0;       // how many are below `low`
  bool halve = !even;

  __device__ bool open() const { return low < high; }

  /// From `low` to high - 1.
  /// @param rank  below + 1 … reached
  __device__ __forceinline__ std::uint32_t middle(unsigned rank) const {
    // Of keys that have the largest values first these are the negative ones, which lie as evenly.
    const float first = ascending_value(low), last = ascending_value(high);
    const float share = __fdividef(static_cast<float>(rank - below), static_cast<float>(reached - below));
    const float between = first + (last - first) * share;
    const std::uint32_t key = ascending_bits(between);
    return halve || key < low || key >= high ? low + (high - low) / 2 : key;
  }

  /// @param key    from middle()
  /// @param count  how many keys are not above it
  /// @param least  the least rank that will do
  __device__ __forceinline__ void narrow(std::uint32_t key, unsigned count, unsigned least) {
    const std::uint32_t width = high - low;
    if (count < least) {
      low = key + 1;
      below = count;
    } else {
      high = key;
      reached = count;
    }
    halve = !even || high - low > width / 2;
  }
};

/// Narrows a range until `high` is a key that at least `least` keys do not exceed, and at most `most` unless keys are equal; `reached` is how
/// many do not.
/// @param range  of at least as many keys
/// @param count  how many keys its argument is not below, known to every thread
template <typename Count>
__device__ __forceinline__ KeyRange select_key(KeyRange range, unsigned least, unsigned most, const Count& count) {
  const unsigned rank = least + (most - least) / 2;
  while (range.open()) {
    const std::uint32_t middle = range.middle(min(rank, range.reached));
    const unsigned held = count(middle);
    range.narrow(middle, held, least);
    if (held >= least && held <= most) break;
  }
  return range;
}

}  // namespace proxel::cuda
