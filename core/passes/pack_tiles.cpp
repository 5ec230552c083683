#include "passes/elements.hpp"
#include "passes/grids.hpp"
#include "passes/memory.hpp"
#include "passes/reference.hpp"
#include "proxel/passes/pack_tiles.h"

namespace proxel {

Pass passes::make_pack_tiles(const PackTilesParameters& parameters, std::uint32_t element) {
  // A workgroup moves 128 rows of about this many dimensions at a time.
  constexpr std::uint32_t chunk_dimensions = 32;
  const std::uint64_t pairs =
      divide_up(parameters.source_rows, tile_rows) * divide_up(parameters.dimensions, chunk_dimensions);
  return make_pass(pack_tiles, parameters, {.element = element}, {strided_groups(pairs), 1, 1}, common_workgroup);
}

PROXEL_THREADED_PASS(pack_tiles)(const Pass& pass) {
  using namespace passes;
  const auto parameters = pass.as<PackTilesParameters>();
  const void* source = at<const void>(parameters.source);
  const std::uint32_t element = pass.constants_as<PackTilesConstants>().element;
  const std::uint64_t tiles = divide_up(parameters.source_rows, tile_rows);
  for (std::uint64_t tile = 0; tile < tiles; ++tile) {
    for (std::uint32_t dimension = 0; dimension < parameters.dimensions; ++dimension) {
      for (std::uint32_t i = 0; i < tile_rows; ++i) {
        const std::uint64_t row = tile * tile_rows + i;
        *value_address(parameters.rows, parameters.first_row + row, dimension) =
            row < parameters.source_rows ? element_value(source, element, row * parameters.dimensions + dimension)
                                         : 0.0f;
      }
    }
  }
}

}  // namespace proxel
