#include "copy_and_fill.hpp"
#include "kernels/chain.cuh"
#include "kernels/strided.cuh"

namespace proxel::cuda {
namespace {

template <typename Word>
__device__ __forceinline__ void copy_as(const CopyWords& p, std::uint64_t count) {
  for_each_strided(
      count, [&](std::uint64_t i) { reinterpret_cast<Word*>(p.to)[i] = reinterpret_cast<const Word*>(p.from)[i]; });
}

__global__ void __launch_bounds__(256) copy_words(const CopyWords p) {
  follow_previous_pass();
  if ((p.from | p.to | p.bytes) % sizeof(uint4) == 0)
    copy_as<uint4>(p, p.bytes / sizeof(uint4));
  else
    copy_as<std::uint32_t>(p, p.bytes / sizeof(std::uint32_t));
}

template <typename Word>
__device__ __forceinline__ void fill_as(const FillWords& p, Word value) {
  for_each_strided(p.bytes / sizeof(Word), [&](std::uint64_t i) { reinterpret_cast<Word*>(p.to)[i] = value; });
}

__global__ void __launch_bounds__(256) fill_words(const FillWords p) {
  follow_previous_pass();
  if ((p.to | p.bytes) % sizeof(uint4) == 0)
    fill_as(p, make_uint4(p.word, p.word, p.word, p.word));
  else
    fill_as(p, p.word);
}

}  // namespace

const void* copy_words_kernel() { return reinterpret_cast<const void*>(copy_words); }
const void* fill_words_kernel() { return reinterpret_cast<const void*>(fill_words); }

}  // namespace proxel::cuda
