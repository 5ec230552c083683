#pragma once

// Queries chosen on the device: a list of their numbers behind four words, the
// first of which counts them (proxel/passes/screen_refine.h).

#include <cstdint>

namespace proxel::cuda {

struct Selected {
  unsigned count;           // slots that stand for a query
  const unsigned* numbers;  // of the queries; null: slot i is query i

  /// @param address  of the list; 0: every slot is the query of its number
  /// @param first    entry that slot 0 stands for
  __device__ Selected(std::uint64_t address, unsigned first, unsigned slots) : count(slots), numbers(nullptr) {
    if (address == 0) return;
    const auto* words = reinterpret_cast<const unsigned*>(address);
    const unsigned all = words[0];
    count = all > first ? min(all - first, slots) : 0;
    numbers = words + 4 + first;
  }
  __device__ unsigned query(unsigned slot) const { return numbers ? numbers[slot] : slot; }
};

}  // namespace proxel::cuda
