#include "kernels/chain.cuh"
#include "kernels/texel.cuh"
#include "kernels/variant.cuh"
#include "proxel/passes/texel_pack.h"

namespace proxel::cuda {
namespace {

using Parameters = passes::TexelPackParameters;

__global__ void __launch_bounds__(1024) pack(const Parameters p, const Launch launch) {
  follow_previous_pass();
  const unsigned layer = blockIdx.y;
  const float* values = reinterpret_cast<const float*>(p.source) + p.first_dimension + layer;
  const unsigned first_texel = p.first_row / 4;
  const unsigned last = first_texel + (p.source_rows - 1) / 4;
  const std::uint64_t texels = (std::uint64_t{last / p.width} + 1) * p.width - first_texel;
  const std::uint64_t stride = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < texels; i += stride) {
    float channels[4];
#pragma unroll
    for (unsigned channel = 0; channel < 4; ++channel)
      channels[channel] = 4 * i + channel < p.source_rows ? values[(4 * i + channel) * p.dimensions] : 0.0f;
    const std::uint64_t at = first_texel + i;
    *texel_address<float4>(launch.textures[0], static_cast<unsigned>(at % p.width), static_cast<unsigned>(at / p.width),
                           layer) = make_float4(channels[0], channels[1], channels[2], channels[3]);
  }
}

}  // namespace

PROXEL_KERNEL(texel_pack)(const Pass&) { return variant(pack); }

}  // namespace proxel::cuda
