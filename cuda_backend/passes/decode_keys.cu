#include "kernels/order.cuh"
#include "kernels/variant.cuh"
#include "proxel/passes/decode_keys.h"

namespace proxel::cuda {
namespace {

using Parameters = passes::DecodeKeysParameters;

__device__ float decoded_distance(Key key, const Parameters& p) {
  if (key == no_row) return __uint_as_float(p.largest_first ? 0xFF800000u : 0x7F800000u);
  const auto distance_key = static_cast<std::uint32_t>(key >> 32);
  if (distance_key == 0xFFFFFFFFu) return __uint_as_float(0x7FC00000u);
  const std::uint32_t ascending = p.largest_first ? ~distance_key : distance_key;
  const float distance = __uint_as_float(ascending & 0x80000000u ? ascending ^ 0x80000000u : ~ascending);
  return p.root ? __fsqrt_rn(distance) : distance;
}

__global__ void __launch_bounds__(1024) decode(const Parameters p) {
  const Key* keys = reinterpret_cast<const Key*>(p.keys);
  const std::uint64_t stride = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < p.count;
       i += stride) {
    const Key key = keys[i];
    reinterpret_cast<std::uint32_t*>(p.indices)[i] = static_cast<std::uint32_t>(key);
    reinterpret_cast<float*>(p.distances)[i] = decoded_distance(key, p);
  }
}

}  // namespace

Kernel kernels::decode_keys(const Pass&) { return variant(decode); }

}  // namespace proxel::cuda
