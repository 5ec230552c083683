#pragma once

#include <cstdint>

namespace proxel::cuda {

/// Adds the magnitudes of differences of four codes, a byte each without a sign, in one instruction (`__vsadu4` and an addition are two).
__device__ __forceinline__ void add_code_differences(std::uint32_t& sum, std::uint32_t query, std::uint32_t row) {
  asm("vabsdiff4.u32.u32.u32.add %0, %1, %2, %0;" : "+r"(sum) : "r"(query), "r"(row));
}

}  // namespace proxel::cuda
