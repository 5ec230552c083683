#include "kernels/chain.cuh"
#include "kernels/strided.cuh"
#include "kernels/variant.cuh"
#include "proxel/passes/copy_words.h"

namespace proxel::cuda {
namespace {

using Parameters = passes::CopyWordsParameters;

template <typename Word>
__device__ __forceinline__ void copy_as(const Parameters& p, std::uint64_t first, std::uint64_t count) {
  auto* to = reinterpret_cast<Word*>(p.to) + first;
  const auto* from = reinterpret_cast<const Word*>(p.from) + first;
  for_each_strided(count, [&](std::uint64_t i) { to[i] = from[i]; });
}

__global__ void __launch_bounds__(1024) copy(const Parameters p) {
  follow_previous_pass();
  const std::uint32_t fours = (p.from | p.to) % sizeof(uint4) == 0 ? p.words / 4 : 0;
  copy_as<uint4>(p, 0, fours);
  copy_as<std::uint32_t>(p, 4 * fours, p.words - 4 * fours);
}

}  // namespace

PROXEL_KERNEL(copy_words)(const Pass&) { return variant(copy); }

}  // namespace proxel::cuda
