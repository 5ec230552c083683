#pragma once

#include <cstdint>

namespace proxel::cuda {

/// A copy that a kernel makes, which takes turns with the copy engines' work on the bus, word by word. A copy
/// engine that other streams keep busy lets a stream wait for its turn for milliseconds.
struct CopyWords {
  std::uint64_t from, to;  ///< multiples of 4
  std::uint64_t bytes;     ///< likewise
};

/// A fill that a kernel makes: the kernels before and behind it are chained (kernels/chain.cuh), which cudaMemsetAsync
/// would break.
struct FillWords {
  std::uint64_t to;     ///< a multiple of 4
  std::uint64_t bytes;  ///< likewise
  std::uint32_t word;   ///< each of them
};

/// The __global__ functions of (CopyWords) and (FillWords), for any grid.
const void* copy_words_kernel();
const void* fill_words_kernel();

}  // namespace proxel::cuda
