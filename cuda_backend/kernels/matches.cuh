#pragma once

// Where the matches of one query lie (proxel/passes/range_offsets.h).

#include <cstdint>

namespace proxel::cuda {

/// `count` matches from `first` on; none where they do not all lie below the capacity.
struct Matches {
  std::uint64_t first;
  std::uint32_t count;

  __device__ Matches(std::uint64_t offsets, std::uint32_t query, std::uint64_t capacity) {
    const auto* of_query = reinterpret_cast<const unsigned long long*>(offsets) + query;
    first = of_query[0];
    const std::uint64_t end = of_query[1];
    count = end > capacity ? 0 : static_cast<std::uint32_t>(end - first);
  }
};

}  // namespace proxel::cuda
