#pragma once

#include "proxel/passes/sample_bound.h"

namespace proxel::cuda {

/// The four of a row that a sample takes of every `step` of them (sample_bound.h).
/// @param number   of the sample  @param sampled  how many fours it has; past the last one, a four that no row has
__device__ __forceinline__ unsigned sampled_four(std::uint64_t number, std::uint64_t sampled, unsigned step) {
  const auto own = static_cast<unsigned>(number);
  std::uint32_t hash;
  PROXEL_SAMPLE_HASH(hash, own);
  return number < sampled ? own * step + __umulhi(hash, step) : 0xFFFFFFFFu;
}

/// How many fours of a row a sample has.
__device__ __forceinline__ std::uint64_t fours_of_sample(std::uint64_t vectors, unsigned step) {
  return (vectors + step - 1) / step;
}

}  // namespace proxel::cuda
