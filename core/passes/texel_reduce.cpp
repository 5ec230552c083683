#include <algorithm>
#include <bit>

#include "passes/candidates.hpp"
#include "passes/grids.hpp"
#include "passes/memory.hpp"
#include "passes/reference.hpp"
#include "proxel/passes/texel_reduce.h"

namespace proxel {
namespace {

std::uint32_t half(std::uint32_t extent) { return extent / 2 + extent % 2; }

struct Extent {
  std::uint32_t width;
  std::uint32_t height;
};

// What is left after the rounds of a pass.
Extent reduced(const passes::TexelReduceParameters& parameters) {
  Extent left{parameters.width, parameters.height};
  for (std::uint32_t round = 0; round < parameters.rounds; ++round) left = {half(left.width), half(left.height)};
  return left;
}

}  // namespace

Pass passes::make_texel_reduce(const TexelReduceParameters& parameters, std::uint32_t query_count,
                               Texture& candidates) {
  const Extent left = reduced(parameters);
  // Each sharer takes whole rows of an output's sources.
  const std::uint64_t source_rows = divide_up(parameters.height, left.height);
  const std::uint32_t sharers =
      parameters.rounds == 1
          ? 1
          : std::bit_floor(static_cast<std::uint32_t>(std::clamp<std::uint64_t>(source_rows, 1, common_workgroup)));
  const auto groups =
      static_cast<std::uint32_t>(divide_up(std::uint64_t{left.width} * left.height, common_workgroup / sharers));
  return make_pass(texel_reduce, parameters, {.sharers = sharers}, {groups, 1, query_count}, common_workgroup,
                   common_workgroup * static_cast<std::uint32_t>(sizeof(std::uint64_t)), {&candidates, nullptr});
}

PROXEL_PASS(texel_reduce)(const Pass& pass) {
  using namespace passes;
  const auto parameters = pass.as<TexelReduceParameters>();
  const Extent left = reduced(parameters);
  const auto texel = [&](std::uint32_t x, std::uint32_t y, std::uint64_t query) {
    return texel_address<std::uint32_t>(*pass.textures[0], x, y, query);
  };
  for (std::uint64_t query = 0; query < pass.grid.z; ++query)
    for (std::uint32_t y = 0; y < left.height; ++y)
      for (std::uint32_t x = 0; x < left.width; ++x) {
        std::uint64_t smallest = no_row_key;
        for (std::uint32_t from_y = y; from_y < parameters.height; from_y += left.height)
          for (std::uint32_t from_x = x; from_x < parameters.width; from_x += left.width)
            smallest = std::min(smallest, candidate_key(texel(from_x, from_y, query)));
        write_candidate(texel(x, y, query), smallest);
      }
}

}  // namespace proxel
