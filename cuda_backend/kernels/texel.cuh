#pragma once

// Texels of a Surface, and the rectangles of them that workgroups cover.

#include "kernel.hpp"
#include "kernels/order.cuh"
#include "proxel/passes/texel_accumulate.h"

namespace proxel::cuda {

using passes::texel_group_width;

template <typename Texel>
__device__ __forceinline__ Texel* texel_address(const Surface& surface, unsigned x, unsigned y, unsigned layer) {
  return static_cast<Texel*>(surface.texels) + (std::uint64_t{layer} * surface.height + y) * surface.width + x;
}

/// The texel of this thread: a workgroup covers a rectangle of texel_group_width columns.
__device__ __forceinline__ uint2 texel_position() {
  return make_uint2(blockIdx.x * texel_group_width + threadIdx.x % texel_group_width,
                    blockIdx.y * (blockDim.x / texel_group_width) + threadIdx.x / texel_group_width);
}

/// A candidate texel holds a key: distance key in red, index in green.
__device__ __forceinline__ Key candidate_key(uint4 texel) { return make_key(texel.x, texel.y); }
__device__ __forceinline__ uint4 candidate_texel(Key key) {
  return make_uint4(static_cast<unsigned>(key >> 32), static_cast<unsigned>(key), 0, 0);
}

}  // namespace proxel::cuda
