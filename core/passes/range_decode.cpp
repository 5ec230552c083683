#include <bit>

#include "passes/decoded_distance.hpp"
#include "passes/grids.hpp"
#include "passes/matches.hpp"
#include "passes/reference.hpp"
#include "proxel/passes/range_decode.h"

namespace proxel {

Pass passes::make_range_decode(const RangeDecodeParameters& parameters, std::uint32_t groups,
                               std::uint32_t query_count) {
  return make_pass(range_decode, parameters, {}, {groups, query_count, 1}, common_workgroup);
}

PROXEL_THREADED_PASS(range_decode)(const Pass& pass) {
  using namespace passes;
  const auto parameters = pass.as<RangeDecodeParameters>();
  for (std::uint64_t query = 0; query < pass.grid.y; ++query) {
    const Matches matches(parameters.offsets, query, parameters.capacity);
    float* distances = at<float>(parameters.distances) + matches.first;
    for (std::uint64_t i = 0; i < matches.count; ++i)
      distances[i] = decoded_distance(make_key(std::bit_cast<std::uint32_t>(distances[i]), 0),
                                      parameters.largest_first != 0, parameters.finish);
  }
}

}  // namespace proxel
