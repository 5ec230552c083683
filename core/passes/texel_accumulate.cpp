#include "passes/canonical.hpp"
#include "passes/grids.hpp"
#include "passes/reference.hpp"
#include "proxel/passes/texel_accumulate.h"

namespace proxel {

Pass passes::make_texel_accumulate(const TexelAccumulateParameters& parameters, Metric metric,
                                   std::uint32_t dimension_count, std::uint32_t query_count, Texture& coordinates,
                                   Texture& accumulated_distances) {
  return make_pass(texel_accumulate, parameters, {.metric = accumulated(metric), .dimensions = dimension_count},
                   texel_grid(parameters.width, parameters.height, query_count), common_workgroup, 0,
                   {&coordinates, &accumulated_distances});
}

PROXEL_THREADED_PASS(texel_accumulate)(const Pass& pass) {
  using namespace passes;
  const auto parameters = pass.as<TexelAccumulateParameters>();
  const auto constants = pass.constants_as<TexelAccumulateConstants>();
  const auto metric = constants.metric;
  const std::uint32_t dimension_count = constants.dimensions;
  for (std::uint64_t query = 0; query < pass.grid.z; ++query) {
    const float* values =
        at<const float>(parameters.queries) + query * parameters.dimensions + parameters.first_dimension;
    for (std::uint32_t y = 0; y < parameters.height; ++y) {
      for (std::uint32_t x = 0; x < parameters.width; ++x) {
        float* sums = texel_address<float>(*pass.textures[1], x, y, query);
        for (std::uint32_t channel = 0; channel < 4; ++channel) {
          float sum = parameters.first ? 0.0f : sums[channel];
          for (std::uint32_t i = 0; i < dimension_count; ++i) {
            const float* rows = texel_address<float>(*pass.textures[0], x, y, parameters.first_layer + i);
            sum = canonical_step(metric, sum, values[i], rows[channel]);
          }
          sums[channel] = sum;
        }
      }
    }
  }
}

}  // namespace proxel
