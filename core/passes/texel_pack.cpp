#include "passes/grids.hpp"
#include "passes/memory.hpp"
#include "passes/reference.hpp"
#include "proxel/passes/texel_pack.h"

namespace proxel {

Pass passes::make_texel_pack(const TexelPackParameters& parameters, Texture& coordinates) {
  return make_pass(texel_pack, parameters, {},
                   {strided_groups(divide_up(parameters.source_rows, 4 * common_workgroup)), parameters.layers, 1},
                   common_workgroup, 0, {&coordinates, nullptr});
}

PROXEL_PASS(texel_pack)(const Pass& pass) {
  using namespace passes;
  const auto parameters = pass.as<TexelPackParameters>();
  const float* source = at<const float>(parameters.source);
  const std::uint64_t end =
      divide_up(parameters.first_row / 4 + divide_up(parameters.source_rows, 4), parameters.width) * parameters.width;
  for (std::uint32_t layer = 0; layer < parameters.layers; ++layer) {
    for (std::uint64_t texel = parameters.first_row / 4; texel < end; ++texel) {
      float* channels = texel_address<float>(*pass.textures[0], static_cast<std::uint32_t>(texel % parameters.width),
                                             static_cast<std::uint32_t>(texel / parameters.width), layer);
      for (std::uint32_t channel = 0; channel < 4; ++channel) {
        const std::uint64_t row = texel * 4 + channel - parameters.first_row;
        channels[channel] = row < parameters.source_rows
                                ? source[row * parameters.dimensions + parameters.first_dimension + layer]
                                : 0.0f;
      }
    }
  }
}

}  // namespace proxel
