#include "passes/candidates.hpp"
#include "passes/grids.hpp"
#include "passes/memory.hpp"
#include "passes/reference.hpp"
#include "proxel/passes.hpp"

namespace proxel {
namespace {

std::uint32_t half(std::uint32_t extent) { return extent / 2 + extent % 2; }

}  // namespace

Pass passes::make_texel_reduce(const TexelReduceParameters& parameters, std::uint32_t query_count,
                               Texture& candidates) {
  // Several rounds are one workgroup's, which waits for itself between them.
  const Grid grid = parameters.rounds > 1
                        ? Grid{1, 1, query_count}
                        : texel_grid(half(parameters.width), half(parameters.height), query_count);
  return make_pass("texel_reduce", parameters, {common_workgroup}, grid, common_workgroup, 0,
                   {&candidates, nullptr});
}

void reference::texel_reduce(const Pass& pass) {
  using namespace passes;
  const auto parameters = pass.as<TexelReduceParameters>();
  for (std::uint64_t query = 0; query < pass.grid.z; ++query) {
    std::uint32_t width = parameters.width;
    std::uint32_t height = parameters.height;
    for (std::uint32_t round = 0; round < parameters.rounds; ++round) {
      const std::uint32_t half_width = half(width);
      const std::uint32_t half_height = half(height);
      for (std::uint32_t y = 0; y < half_height; ++y) {
        for (std::uint32_t x = 0; x < half_width; ++x) {
          std::uint64_t smallest = no_row_key;
          for (std::uint32_t from_y = y; from_y < height; from_y += half_height)
            for (std::uint32_t from_x = x; from_x < width; from_x += half_width)
              smallest = std::min(smallest, candidate_key(texel_address<std::uint32_t>(
                                                *pass.textures[0], from_x, from_y, query)));
          write_candidate(texel_address<std::uint32_t>(*pass.textures[0], x, y, query), smallest);
        }
      }
      width = half_width;
      height = half_height;
    }
  }
}

}  // namespace proxel
