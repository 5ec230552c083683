#include "proxel/passes/screen_sample.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "passes/grids.hpp"
#include "passes/memory.hpp"
#include "passes/reference.hpp"
#include "passes/screen_bounds.hpp"
#include "passes/screen_operand.hpp"

namespace proxel {

Pass passes::make_screen_sample(const ScreenSampleParameters& parameters) {
  const std::uint64_t tiles = divide_up(parameters.row_count / parameters.share, tile_rows);
  return make_pass(screen_sample, parameters, {}, {static_cast<std::uint32_t>(tiles), 1, 1}, common_workgroup);
}

PROXEL_PASS(screen_sample)(const Pass& pass) {
  using namespace passes;
  const auto parameters = pass.as<ScreenSampleParameters>();
  const std::uint32_t samples = parameters.row_count / parameters.share;
  const auto* rows = at<const std::byte>(parameters.rows);
  auto* sampled = at<std::byte>(parameters.sampled);
  for (std::uint32_t tile = 0; tile < pass.grid.x; ++tile) {
    constexpr float none = std::numeric_limits<float>::max();
    TileBounds bounds{none, none, none, none};
    for (std::uint32_t i = 0; i < tile_rows; ++i) {
      const std::uint32_t sample = screen_sample_number(i, tile, pass.grid.x);
      const std::uint32_t row = screen_sampled_row(sample, parameters.share);
      at<std::uint32_t>(parameters.sampled_biases)[tile * tile_rows + i] =
          sample < samples ? at<const std::uint32_t>(parameters.biases)[row] : parameters.nothing;
      // Halves and integers lie in the same 16 bytes at a time.
      for (std::uint32_t half = 0; half < parameters.depth_blocks * screen_block_depth; half += 8) {
        std::byte* to = sampled + 2 * operand_half(tile, i, half, parameters.depth_blocks);
        if (sample < samples)
          std::memcpy(to, rows + 2 * operand_half(row / tile_rows, row % tile_rows, half, parameters.depth_blocks), 16);
        else
          std::memset(to, 0, 16);
      }
      if (sample >= samples) continue;
      const auto& of_row = at<const TileBounds>(parameters.bounds)[row / tile_rows];
      bounds = {std::min(bounds.x, of_row.x), std::min(bounds.y, of_row.y), std::min(bounds.z, of_row.z),
                std::min(bounds.w, of_row.w)};
    }
    at<TileBounds>(parameters.sampled_bounds)[tile] = bounds;
  }
}

}  // namespace proxel
