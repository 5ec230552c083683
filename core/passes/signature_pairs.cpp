#include "passes/reference.hpp"
#include "passes/signature_screen.hpp"
#include "proxel/passes/signature_pairs.h"

namespace proxel {

Pass passes::make_signature_pairs(const SignaturePairsParameters& parameters, int kind, std::uint32_t dimensions,
                                  std::uint32_t groups, std::uint32_t query_count) {
  return make_pass(signature_pairs, parameters,
                   {.similarity = static_cast<std::uint32_t>(kind), .dimensions = dimensions}, {groups, query_count, 1},
                   signature_block, signature_block * 4);
}

PROXEL_THREADED_PASS(signature_pairs)(const Pass& pass) {
  using namespace passes;
  const auto p = pass.as<SignaturePairsParameters>();
  const auto constants = pass.constants_as<SignaturePairsConstants>();
  const SignaturesAt queries(p.queries, constants.dimensions), objects(p.objects, constants.dimensions);
  for (std::uint64_t query = 0; query < pass.grid.y; ++query) {
    const std::uint32_t count = p.counts == 0 ? p.count : at<const std::uint32_t>(p.counts)[query];
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint32_t object = at<const std::uint32_t>(p.lists)[query * p.list_stride + i];
      const float cross =
          screened_cross(queries, query, objects, object, static_cast<int>(constants.similarity), p.factor);
      at<float>(p.squares)[query * p.square_stride + (p.counts == 0 ? i : object)] =
          arithmetic::screened_square(queries.terms(query), objects.terms(object), cross, static_cast<int>(p.unit));
    }
  }
}

}  // namespace proxel
