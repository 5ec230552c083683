#include "kernels/chain.cuh"
#include "kernels/filter.cuh"
#include "kernels/texel.cuh"
#include "kernels/variant.cuh"
#include "proxel/passes/texel_minimum.h"

namespace proxel::cuda {
namespace {

using Parameters = passes::TexelMinimumParameters;

template <bool largest_first>
__global__ void __launch_bounds__(1024) channel_minimum(const Parameters p, const Launch launch) {
  follow_previous_pass();
  const uint2 at = texel_position();
  if (at.x >= p.width || at.y >= p.height) return;
  const After after(p.after, p.after_stride, blockIdx.z);
  const Filter filter(p.filter_bits, p.filter_stride, blockIdx.z);
  const float4 texel = *texel_address<const float4>(launch.textures[0], at.x, at.y, blockIdx.z);
  const float channels[4] = {texel.x, texel.y, texel.z, texel.w};
  const std::uint64_t first_row = 4 * (std::uint64_t{at.y} * p.width + at.x);
  Key smallest = no_row;
#pragma unroll
  for (unsigned i = 0; i < 4; ++i) {
    const unsigned index = p.first_index + static_cast<unsigned>(first_row) + i;
    if (first_row + i < p.rows && filter.allows(index))
      smallest = smaller(smallest, after.filter(make_key(ordered_key<largest_first>(channels[i]), index)));
  }
  *texel_address<uint4>(launch.textures[1], at.x, at.y, blockIdx.z) = candidate_texel(smallest);
}

}  // namespace

PROXEL_KERNEL(texel_minimum)(const Pass& pass) {
  if (pass.workgroup_size % texel_group_width != 0) return {};
  return pass.constants_as<passes::TexelMinimumConstants>().largest_first == 1 ? variant(channel_minimum<true>)
                                                                               : variant(channel_minimum<false>);
}

}  // namespace proxel::cuda
