#include <bit>
#include <cmath>

#include "passes/grids.hpp"
#include "passes/memory.hpp"
#include "passes/order.hpp"
#include "passes/reference.hpp"
#include "proxel/passes/extract_nearest.h"

namespace proxel {

Pass passes::make_extract_nearest(const ExtractNearestParameters& parameters) {
  const std::uint64_t results = std::uint64_t{parameters.query_count} * parameters.k;
  return make_pass(extract_nearest, parameters, {}, {strided_groups(divide_up(results, common_workgroup)), 1, 1},
                   common_workgroup);
}

PROXEL_PASS(extract_nearest)(const Pass& pass) {
  using namespace passes;
  const auto parameters = pass.as<ExtractNearestParameters>();
  const bool largest = parameters.largest_first != 0;
  for (std::uint64_t query = 0; query < parameters.query_count; ++query)
    for (std::uint64_t rank = 0; rank < parameters.k; ++rank) {
      std::uint32_t index = UINT32_MAX;
      float distance = no_row_distance(largest && parameters.finish != finish_complement);
      const std::uint64_t slot = rank * parameters.rank_pitch + query * parameters.query_pitch;
      const bool found = rank < parameters.found;
      if (found && parameters.nearest_indices) index = at<const std::uint32_t>(parameters.nearest_indices)[slot];
      if (found && !(parameters.values && index == UINT32_MAX)) {
        const std::uint32_t bits = at<const std::uint32_t>(parameters.nearest_keys)[slot];
        distance = parameters.values ? std::bit_cast<float>(bits) : value_of_distance_key(bits, largest);
        if (parameters.norms != 0) distance += at<const float>(parameters.norms)[query];
        if (parameters.finish == finish_root) distance = std::sqrt(distance);
        if (parameters.finish == finish_complement) distance = 1.0f - distance;
        if (std::isnan(distance)) distance = value_of_distance_key(nan_distance_key, largest);
      }
      at<std::uint32_t>(parameters.indices)[query * parameters.k + rank] = index;
      at<float>(parameters.distances)[query * parameters.k + rank] = distance;
    }
}

}  // namespace proxel
