#include "passes/grids.hpp"
#include "passes/reference.hpp"
#include "passes/signature_screen.hpp"
#include "proxel/passes/signature_screen.h"

namespace proxel {

Pass passes::make_signature_screen(const SignatureScreenParameters& parameters, int kind, std::uint32_t dimensions,
                                   std::uint32_t groups) {
  const auto tiles = static_cast<std::uint32_t>(divide_up(parameters.query_count, signature_screen_queries));
  constexpr std::uint32_t workgroup = signature_block / 4;
  return make_pass(signature_screen, parameters,
                   {.similarity = static_cast<std::uint32_t>(kind), .dimensions = dimensions}, {groups, tiles, 1},
                   workgroup, (4 * signature_screen_queries + 8) * signature_block);
}

PROXEL_THREADED_PASS(signature_screen)(const Pass& pass) {
  using namespace passes;
  const auto p = pass.as<SignatureScreenParameters>();
  const auto constants = pass.constants_as<SignatureScreenConstants>();
  const std::uint32_t dimensions = constants.dimensions;
  const auto kind = static_cast<int>(constants.similarity);
  const auto* groups = at<const std::uint32_t>(p.groups);
  const SignaturesAt queries(p.queries, dimensions), objects(p.objects, dimensions);
  for (std::uint64_t query = 0; query < p.query_count; ++query)
    for (std::uint64_t object = groups[0]; object < groups[p.group_count]; ++object) {
      const float cross = screened_cross(queries, query, objects, object, kind, p.factor);
      at<float>(p.distances)[query * p.distance_stride + object] =
          arithmetic::screened_square(queries.terms(query), objects.terms(object), cross, static_cast<int>(p.unit));
    }
}

}  // namespace proxel
