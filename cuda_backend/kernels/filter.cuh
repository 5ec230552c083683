#pragma once

// The rows that a search may return: bit i % 32 of word i / 32 is row i
// (proxel/passes/types.h).

#include <cstdint>

namespace proxel::cuda {

/// One query's filter.
class Filter {
 public:
  /// @param address  of the words; 0 allows every row
  /// @param stride   words between the filters of queries; 0: one for all
  __device__ Filter(std::uint64_t address, std::uint32_t stride, std::uint32_t query)
      : words_(address == 0 ? nullptr
                            : reinterpret_cast<const std::uint32_t*>(address) + std::uint64_t{query} * stride) {}

  __device__ __forceinline__ bool allows(std::uint32_t index) const {
    return words_ == nullptr || (__ldg(words_ + index / 32) >> (index % 32) & 1u) != 0;
  }

  /// Whether any row first … last may be allowed. Looks at whole words. There is a filter.
  __device__ __forceinline__ bool may_allow_any(std::uint32_t first, std::uint32_t last) const {
    unsigned bits = 0;
    for (unsigned word = first / 32; word <= last / 32; ++word) bits |= __ldg(words_ + word);
    return bits != 0;
  }

  /// Bits 0 … 3 tell of rows first … first + 3. Words past the one that holds
  /// row `last`, which is at least `first`, are not read; bits past it mean nothing.
  __device__ __forceinline__ unsigned four(std::uint32_t first, std::uint32_t last) const {
    if (words_ == nullptr) return 15u;
    const unsigned shift = first % 32;
    unsigned bits = __ldg(words_ + first / 32) >> shift;
    if (shift > 28) bits |= __ldg(words_ + (first + min(3u, last - first)) / 32) << (32 - shift);
    return bits & 15u;
  }

 private:
  const std::uint32_t* words_;
};

}  // namespace proxel::cuda
