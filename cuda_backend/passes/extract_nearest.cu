#include "kernels/chain.cuh"
#include "kernels/decode.cuh"
#include "kernels/strided.cuh"
#include "kernels/variant.cuh"
#include "proxel/passes/extract_nearest.h"

namespace proxel::cuda {
namespace {

using Parameters = passes::ExtractNearestParameters;

__global__ void __launch_bounds__(1024) extract(const Parameters p) {
  follow_previous_pass();
  const bool largest = p.largest_first != 0;
  for_each_strided(std::uint64_t{p.query_count} * p.k, [&](std::uint64_t i) {
    const std::uint64_t query = i / p.k;
    const std::uint64_t rank = i % p.k;
    std::uint32_t index = 0xFFFFFFFFu;
    float distance = decoded_distance(no_row, largest, p.finish);
    const std::uint64_t slot = rank * p.rank_pitch + query * p.query_pitch;
    const bool found = rank < p.found;
    if (found && p.nearest_indices != 0) index = reinterpret_cast<const std::uint32_t*>(p.nearest_indices)[slot];
    if (found && !(p.values != 0 && index == 0xFFFFFFFFu)) {
      const std::uint32_t bits = reinterpret_cast<const std::uint32_t*>(p.nearest_keys)[slot];
      distance = p.values != 0 ? __uint_as_float(bits) : value_of_key(bits, largest);
      if (p.norms != 0) distance = __fadd_rn(distance, reinterpret_cast<const float*>(p.norms)[query]);
      if (p.finish == passes::finish_root) distance = __fsqrt_rn(distance);
      if (p.finish == passes::finish_complement) distance = __fsub_rn(1.0f, distance);
      if (distance != distance) distance = __uint_as_float(0x7FC00000u);
    }
    reinterpret_cast<std::uint32_t*>(p.indices)[i] = index;
    reinterpret_cast<float*>(p.distances)[i] = distance;
  });
}

}  // namespace

PROXEL_KERNEL(extract_nearest)(const Pass&) { return variant(extract); }

}  // namespace proxel::cuda
