#include <algorithm>

#include "passes/grids.hpp"
#include "passes/memory.hpp"
#include "passes/reference.hpp"
#include "proxel/passes/texel_unpack.h"

namespace proxel {

Pass passes::make_texel_unpack(const TexelUnpackParameters& parameters, std::uint32_t layers, Texture& values,
                               Texture& candidates) {
  return make_pass(texel_unpack, parameters, {}, texel_grid(parameters.width, parameters.height, layers),
                   common_workgroup, 0, {&values, &candidates});
}

PROXEL_PASS(texel_unpack)(const Pass& pass) {
  using namespace passes;
  const auto parameters = pass.as<TexelUnpackParameters>();
  const auto unpack = [&](const Texture& texture, std::uint64_t address) {
    if (address == 0) return;
    auto* to = at<std::uint32_t>(address);
    for (std::uint64_t layer = 0; layer < pass.grid.z; ++layer)
      for (std::uint32_t y = 0; y < parameters.height; ++y, to += std::uint64_t{4} * parameters.width)
        std::copy_n(texel_address<std::uint32_t>(texture, 0, y, layer), std::uint64_t{4} * parameters.width, to);
  };
  unpack(*pass.textures[0], parameters.values);
  unpack(*pass.textures[1], parameters.candidates);
}

}  // namespace proxel
