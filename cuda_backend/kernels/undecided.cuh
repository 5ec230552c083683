#pragma once

// How the lists of a canonical rescue are shared among undecided queries.

#include <cstdint>

namespace proxel::cuda {

/// The queries that a scan_undecided and its merge_undecided serve.
struct Undecided {
  const unsigned* numbers;  // of their queries
  unsigned count;           // at most `lists`
  unsigned groups;          // lists of each

  __device__ Undecided(std::uint64_t address, unsigned first, unsigned lists, unsigned most_groups) {
    const auto* words = reinterpret_cast<const unsigned*>(address);
    const unsigned all = __ldcg(words);
    count = all > first ? min(all - first, lists) : 0;
    numbers = words + 4 + first;
    groups = count == 0 ? 1 : max(1u, min(lists / count, most_groups));
  }
};

}  // namespace proxel::cuda
