#include "proxel/passes/transpose.h"

#include "passes/grids.hpp"
#include "passes/memory.hpp"
#include "passes/reference.hpp"

namespace proxel {

Pass passes::make_transpose(const TransposeParameters& parameters) {
  const auto squares = [](std::uint32_t extent) { return strided_groups(divide_up(extent, transpose_side)); };
  return make_pass(transpose, parameters, {}, {squares(parameters.columns), squares(parameters.rows), 1},
                   common_workgroup);
}

PROXEL_PASS(transpose)(const Pass& pass) {
  using namespace passes;
  const auto p = pass.as<TransposeParameters>();
  for (std::uint64_t row = 0; row < p.rows; ++row)
    for (std::uint64_t column = 0; column < p.columns; ++column)
      at<std::uint32_t>(p.to)[column * p.to_pitch + row] = at<const std::uint32_t>(p.from)[row * p.from_pitch + column];
}

}  // namespace proxel
