#include "kernels/chain.cuh"
#include "kernels/texel.cuh"
#include "kernels/variant.cuh"
#include "proxel/passes/texel_unpack.h"

namespace proxel::cuda {
namespace {

using Parameters = passes::TexelUnpackParameters;

__global__ void __launch_bounds__(1024) unpack(const Parameters p, const Launch launch) {
  follow_previous_pass();
  const uint2 at = texel_position();
  if (at.x >= p.width || at.y >= p.height) return;
  const std::uint64_t texel = (std::uint64_t{blockIdx.z} * p.height + at.y) * p.width + at.x;
  const auto copy = [&](const Surface& surface, std::uint64_t to) {
    if (to != 0) reinterpret_cast<uint4*>(to)[texel] = *texel_address<const uint4>(surface, at.x, at.y, blockIdx.z);
  };
  copy(launch.textures[0], p.values);
  copy(launch.textures[1], p.candidates);
}

}  // namespace

PROXEL_KERNEL(texel_unpack)(const Pass& pass) {
  return pass.workgroup_size % texel_group_width == 0 ? variant(unpack) : Kernel{};
}

}  // namespace proxel::cuda
