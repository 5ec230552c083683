#include "kernels/chain.cuh"
#include "kernels/strided.cuh"
#include "kernels/variant.cuh"
#include "proxel/passes/fill_words.h"

namespace proxel::cuda {
namespace {

using Parameters = passes::FillWordsParameters;

template <typename Word>
__device__ __forceinline__ void fill_as(const Parameters& p, Word value, std::uint64_t first, std::uint64_t count) {
  auto* to = reinterpret_cast<Word*>(p.to) + first;
  for_each_strided(count, [&](std::uint64_t i) { to[i] = value; });
}

__global__ void __launch_bounds__(1024) fill(const Parameters p) {
  follow_previous_pass();
  const std::uint32_t fours = p.to % sizeof(uint4) == 0 ? p.words / 4 : 0;
  fill_as(p, make_uint4(p.word, p.word, p.word, p.word), 0, fours);
  fill_as(p, p.word, 4 * fours, p.words - 4 * fours);
}

}  // namespace

PROXEL_KERNEL(fill_words)(const Pass&) { return variant(fill); }

}  // namespace proxel::cuda
