#include <cmath>
#include <limits>

#include "passes/grids.hpp"
#include "passes/reference.hpp"
#include "passes/signature_sums.hpp"
#include "proxel/passes/signature_distance.h"

namespace proxel {

Pass passes::make_signature_distance(const SignatureDistanceParameters& parameters, int kind, std::uint32_t dimensions,
                                     std::uint32_t groups, std::uint32_t query_count) {
  return make_pass(signature_distance, parameters,
                   {.similarity = static_cast<std::uint32_t>(kind), .dimensions = dimensions}, {groups, query_count, 1},
                   signature_block, 20 * signature_block + 32);
}

PROXEL_THREADED_PASS(signature_distance)(const Pass& pass) {
  using namespace passes;
  const auto p = pass.as<SignatureDistanceParameters>();
  const auto constants = pass.constants_as<SignatureDistanceConstants>();
  const auto* groups = at<const std::uint32_t>(p.groups);
  const SignaturesAt queries(p.queries, constants.dimensions), objects(p.objects, constants.dimensions);
  for (std::uint64_t query = 0; query < pass.grid.y; ++query)
    for (std::uint64_t object = groups[0]; object < groups[p.group_count]; ++object) {
      float& to = at<float>(p.distances)[query * p.distance_stride + object];
      if (p.limits != 0 && !(to <= at<const float>(p.limits)[query])) {
        to = std::numeric_limits<float>::quiet_NaN();
        continue;
      }
      const auto of_query = queries.terms(query), of_object = objects.terms(object);
      const auto cross = cross_sum(queries, query, objects, object, static_cast<int>(constants.similarity), p.alpha);
      const float square = arithmetic::signature_square(of_query, of_object, cross, static_cast<int>(p.unit));
      to = arithmetic::scaled_root(std::sqrt(square), of_query, of_object);
      ++at<std::uint32_t>(p.evaluated)[query];
    }
}

}  // namespace proxel
