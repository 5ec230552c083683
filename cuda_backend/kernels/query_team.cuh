#pragma once

// Sixteen threads for each query, where passes that pack queries have workgroups of 128 (screen_query_workgroups).

#include <cstdint>

#include "kernels/order.cuh"
#include "proxel/passes/screen_pack.h"

namespace proxel::cuda {

/// Makes words 0; all workgroups of the grid have a share of them.
template <typename Parameters>
__device__ __forceinline__ void zero_words(const Parameters& p) {
  const unsigned workgroup = blockIdx.y * gridDim.x + blockIdx.x;
  const std::uint64_t stride = std::uint64_t{gridDim.x} * gridDim.y * blockDim.x;
  for (std::uint64_t i = std::uint64_t{workgroup} * blockDim.x + threadIdx.x; i < p.zeroed_words; i += stride)
    reinterpret_cast<std::uint32_t*>(p.zeroed)[i] = 0;
}

/// The threads that have a query together. What they find out together all of them ask for.
class QueryTeam {
 public:
  /// A workgroup has as many threads as a tile has queries.
  static constexpr unsigned size = passes::screen_query_workgroups;

  __device__ explicit QueryTeam(unsigned first_tile)
      : tile_(first_tile + blockIdx.x),
        in_tile_(blockIdx.y * (blockDim.x / size) + threadIdx.x / size),
        lanes_(((1u << size) - 1) << threadIdx.x % 32 / size * size) {}

  __device__ unsigned lane() const { return threadIdx.x % size; }
  __device__ unsigned tile() const { return tile_; }
  /// Of 128.
  __device__ unsigned in_tile() const { return in_tile_; }
  __device__ unsigned query() const { return tile_ * passes::tile_rows + in_tile_; }

  /// What is not finite in any thread makes the sum so.
  __device__ float sum(float value) const {
    return combined(value, [](float a, float b) { return __fadd_rn(a, b); });
  }
  __device__ int sum(int value) const {
    return combined(value, [](int a, int b) { return a + b; });
  }
  /// NaN is none.
  __device__ float largest(float value) const {
    return combined(value, [](float a, float b) { return fmaxf(a, b); });
  }
  __device__ bool all(bool said) const { return __all_sync(lanes_, said); }

 private:
  template <typename Value, typename Combine>
  __device__ __forceinline__ Value combined(Value value, const Combine& combine) const {
#pragma unroll
    for (unsigned distance = size / 2; distance != 0; distance /= 2)
      value = combine(value, __shfl_xor_sync(lanes_, value, distance));
    return value;
  }

  unsigned tile_, in_tile_, lanes_;
};

}  // namespace proxel::cuda
