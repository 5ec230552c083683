#include "kernels/chain.cuh"
#include "kernels/decode.cuh"
#include "kernels/variant.cuh"
#include "proxel/passes/decode_keys.h"

namespace proxel::cuda {
namespace {

using Parameters = passes::DecodeKeysParameters;

__global__ void __launch_bounds__(1024) decode(const Parameters p) {
  follow_previous_pass();
  const Key* keys = reinterpret_cast<const Key*>(p.keys);
  const std::uint64_t stride = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < p.count; i += stride) {
    const Key key = keys[i];
    reinterpret_cast<std::uint32_t*>(p.indices)[i] = decoded_index(key);
    reinterpret_cast<float*>(p.distances)[i] = decoded_distance(key, p.largest_first != 0, p.finish);
  }
}

}  // namespace

PROXEL_KERNEL(decode_keys)(const Pass&) { return variant(decode); }

}  // namespace proxel::cuda
