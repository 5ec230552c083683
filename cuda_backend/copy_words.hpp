#pragma once

#include <cstdint>

namespace proxel::cuda {

/// A copy that a kernel makes, which takes turns with the copy engines' work on the bus, word by word. A copy
/// engine that other streams keep busy lets a stream wait for its turn for milliseconds.
struct CopyWords {
  std::uint64_t from, to;  ///< multiples of 4
  std::uint64_t bytes;     ///< likewise
};

/// The __global__ function of (CopyWords), for any grid.
const void* copy_words_kernel();

}  // namespace proxel::cuda
