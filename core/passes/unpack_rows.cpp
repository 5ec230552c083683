#include "passes/grids.hpp"
#include "passes/memory.hpp"
#include "passes/reference.hpp"
#include "proxel/passes/unpack_rows.h"

namespace proxel {

Pass passes::make_unpack_rows(UnpackRowsParameters parameters) {
  // A workgroup moves 128 rows of about this many dimensions at a time.
  constexpr std::uint32_t chunk_dimensions = 32;
  const std::uint64_t pairs =
      divide_up(parameters.row_count, tile_rows) * divide_up(parameters.dimensions, chunk_dimensions);
  if (parameters.row_stride == 0) parameters.row_stride = parameters.dimensions;
  return make_pass(unpack_rows, parameters, {}, {strided_groups(pairs), 1, 1}, common_workgroup);
}

PROXEL_PASS(unpack_rows)(const Pass& pass) {
  using namespace passes;
  const auto parameters = pass.as<UnpackRowsParameters>();
  for (std::uint32_t i = 0; i < parameters.row_count; ++i)
    for (std::uint32_t dimension = 0; dimension < parameters.dimensions; ++dimension)
      at<std::uint32_t>(parameters.destination)[std::uint64_t{i} * parameters.row_stride + dimension] =
          *reinterpret_cast<const std::uint32_t*>(
              value_address(parameters.rows, std::uint64_t{parameters.first_row} + i, dimension));
}

}  // namespace proxel
