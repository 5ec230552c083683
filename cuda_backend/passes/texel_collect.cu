#include "kernels/chain.cuh"
#include "kernels/texel.cuh"
#include "kernels/variant.cuh"
#include "proxel/passes/texel_collect.h"

namespace proxel::cuda {
namespace {

using Parameters = passes::TexelCollectParameters;

__global__ void __launch_bounds__(1024) collect(const Parameters p, const Launch launch) {
  follow_previous_pass();
  const unsigned stride = gridDim.x * blockDim.x;
  for (std::uint64_t query = blockIdx.x * blockDim.x + threadIdx.x; query < p.queries; query += stride) {
    const Key found = candidate_key(*texel_address<uint4>(launch.textures[0], 0, 0, static_cast<unsigned>(query)));
    Key* kept = reinterpret_cast<Key*>(p.keys) + query * p.keys_stride;
    *kept = p.first_block ? found : smaller(found, *kept);
  }
}

}  // namespace

PROXEL_KERNEL(texel_collect)(const Pass&) { return variant(collect); }

}  // namespace proxel::cuda
