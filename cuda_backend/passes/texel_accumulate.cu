#include "kernels/canonical.cuh"
#include "kernels/chain.cuh"
#include "kernels/rows.cuh"
#include "kernels/texel.cuh"
#include "kernels/variant.cuh"

namespace proxel::cuda {
namespace {

using Parameters = passes::TexelAccumulateParameters;

// Textures whose reads are in flight together.
constexpr unsigned unroll = 8;

template <Metric metric>
__global__ void __launch_bounds__(1024) accumulate(const Parameters p, const Launch launch) {
  follow_previous_pass();
  const uint2 at = texel_position();
  if (at.x >= p.width || at.y >= p.height) return;
  const Surface& coordinates = launch.textures[0];
  const float* query =
      reinterpret_cast<const float*>(p.queries) + std::uint64_t{blockIdx.z} * p.dimensions + p.first_dimension;
  const float4* texels = texel_address<const float4>(coordinates, at.x, at.y, p.first_layer);
  const std::uint64_t layer_texels = std::uint64_t{coordinates.width} * coordinates.height;
  float4* accumulated = texel_address<float4>(launch.textures[1], at.x, at.y, blockIdx.z);
  float4 sum = p.first ? make_float4(0, 0, 0, 0) : *accumulated;
  const unsigned count = launch.as<passes::TexelAccumulateConstants>().dimensions;
  for (unsigned first = 0; first < count; first += unroll) {
    float4 texel[unroll];
#pragma unroll
    for (unsigned i = 0; i < unroll; ++i)
      if (first + i < count) texel[i] = read_once(texels + (first + i) * layer_texels);
#pragma unroll
    for (unsigned i = 0; i < unroll; ++i) {
      if (first + i >= count) continue;
      const float coordinate = __ldg(query + first + i);
      sum.x = step<metric>(sum.x, coordinate, texel[i].x);
      sum.y = step<metric>(sum.y, coordinate, texel[i].y);
      sum.z = step<metric>(sum.z, coordinate, texel[i].z);
      sum.w = step<metric>(sum.w, coordinate, texel[i].w);
    }
  }
  *accumulated = sum;
}

}  // namespace

PROXEL_KERNEL(texel_accumulate)(const Pass& pass) {
  if (pass.workgroup_size % texel_group_width != 0) return {};
  return for_metric(pass.constants_as<passes::TexelAccumulateConstants>().metric,
                    [](auto metric) { return variant(accumulate<decltype(metric)::value>); });
}

}  // namespace proxel::cuda
