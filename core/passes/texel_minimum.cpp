#include <algorithm>

#include "passes/candidates.hpp"
#include "passes/filter.hpp"
#include "passes/grids.hpp"
#include "passes/memory.hpp"
#include "passes/reference.hpp"
#include "proxel/passes/texel_minimum.h"

namespace proxel {

Pass passes::make_texel_minimum(const TexelMinimumParameters& parameters, Metric metric, std::uint32_t query_count,
                                Texture& accumulated_distances, Texture& candidates) {
  return make_pass(texel_minimum, parameters,
                   {.largest_first = largest_first(accumulated(metric)), .continues = parameters.after != 0},
                   texel_grid(parameters.width, parameters.height, query_count), common_workgroup, 0,
                   {&accumulated_distances, &candidates});
}

PROXEL_PASS(texel_minimum)(const Pass& pass) {
  using namespace passes;
  const auto parameters = pass.as<TexelMinimumParameters>();
  const bool largest = pass.constants_as<TexelMinimumConstants>().largest_first != 0;
  for (std::uint64_t query = 0; query < pass.grid.z; ++query) {
    const After after(parameters.after, query, parameters.after_stride);
    const Filter filter(parameters.filter_bits, query, parameters.filter_stride);
    for (std::uint32_t y = 0; y < parameters.height; ++y) {
      for (std::uint32_t x = 0; x < parameters.width; ++x) {
        const float* sums = texel_address<float>(*pass.textures[0], x, y, query);
        std::uint64_t smallest = no_row_key;
        for (std::uint32_t channel = 0; channel < 4; ++channel) {
          const std::uint64_t row = (std::uint64_t{y} * parameters.width + x) * 4 + channel;
          if (row >= parameters.rows || !filter.allows(parameters.first_index + row)) continue;
          const std::uint64_t key =
              make_key(distance_key(sums[channel], largest), static_cast<std::uint32_t>(parameters.first_index + row));
          if (after.admits(key)) smallest = std::min(smallest, key);
        }
        write_candidate(texel_address<std::uint32_t>(*pass.textures[1], x, y, query), smallest);
      }
    }
  }
}

}  // namespace proxel
