#pragma once

// Where a warpgroup of screen_wide.cuh has its queries: in shared memory, or in registers.

#include "kernels/screen_wide_blocks.cuh"

namespace proxel::cuda::wide {

#ifdef PROXEL_HOPPER
// The number of a block that is known when the kernel is compiled.
template <unsigned number>
struct KnownBlock {
  __device__ __forceinline__ constexpr operator unsigned() const { return number; }
};

class SharedQueries {
 public:
  static constexpr unsigned most_blocks = 0;  // any number
  __device__ SharedQueries(const Parameters& p, const Blocks& blocks, unsigned member)
      : blocks_(blocks), member_(member), depth_blocks_(p.depth_blocks) {}
  __device__ std::uint64_t block(unsigned stage, unsigned number) const {
    return hopper::operand(blocks_.query_block(stage, member_ / 2, number, depth_blocks_) + member_ % 2 * 64 * 128);
  }

 private:
  const Blocks& blocks_;
  unsigned member_;
  unsigned depth_blocks_;
};

// Spares shared memory a third of its reads, which wait for each other.
template <unsigned most_blocks_>
class RegisterQueries {
 public:
  static constexpr unsigned most_blocks = most_blocks_;
  __device__ RegisterQueries(const Parameters& p, const Blocks& blocks, unsigned member) {
    const unsigned row = threadIdx.x % warpgroup / 32 * 16 + threadIdx.x % 32 / 4;
#pragma unroll
    for (unsigned number = 0; number < most_blocks; ++number) {
      const char* block =
          blocks.query_block(0, member / 2, min(number, p.depth_blocks - 1), p.depth_blocks) + member % 2 * 64 * 128;
#pragma unroll
      for (unsigned step = 0; step < 4; ++step)
#pragma unroll
        for (unsigned i = 0; i < 4; ++i) {
          // As screen_pack stores them: halves and integers alike, four bytes are a thread's.
          const unsigned of = row + i % 2 * 8, chunk = 2 * step + i / 2;
          blocks_[number].steps[step][i] =
              *reinterpret_cast<const std::uint32_t*>(block + 128 * of + 16 * (chunk ^ of % 8) + 4 * (threadIdx.x % 4));
        }
    }
  }
  struct Block {
    std::uint32_t steps[4][4];
  };
  template <unsigned number>
  __device__ __forceinline__ Block block(unsigned, KnownBlock<number>) const {
    return blocks_[number];
  }

 private:
  Block blocks_[most_blocks];
};
#else
class SharedQueries;
template <unsigned most_blocks>
class RegisterQueries;
#endif

}  // namespace proxel::cuda::wide
