#include <algorithm>

#include "passes/candidates.hpp"
#include "passes/grids.hpp"
#include "passes/memory.hpp"
#include "passes/reference.hpp"
#include "proxel/passes/texel_collect.h"

namespace proxel {

Pass passes::make_texel_collect(const TexelCollectParameters& parameters, Texture& candidates) {
  // One texel per query: small workgroups spread even a few queries.
  constexpr std::uint32_t workgroup = 64;
  return make_pass(texel_collect, parameters, {}, {strided_groups(divide_up(parameters.queries, workgroup)), 1, 1},
                   workgroup, 0, {&candidates, nullptr});
}

PROXEL_PASS(texel_collect)(const Pass& pass) {
  using namespace passes;
  const auto parameters = pass.as<TexelCollectParameters>();
  for (std::uint64_t query = 0; query < parameters.queries; ++query) {
    std::uint64_t& kept = at<std::uint64_t>(parameters.keys)[query * parameters.keys_stride];
    const std::uint64_t key = candidate_key(texel_address<std::uint32_t>(*pass.textures[0], 0, 0, query));
    kept = parameters.first_block ? key : std::min(kept, key);
  }
}

}  // namespace proxel
