#include <bit>

#include "passes/grids.hpp"
#include "passes/memory.hpp"
#include "passes/order.hpp"
#include "passes/reference.hpp"
#include "proxel/passes/add_row_norms.h"

namespace proxel {

Pass passes::make_add_row_norms(const AddRowNormsParameters& parameters) {
  const std::uint64_t elements = std::uint64_t{parameters.row_count} * parameters.query_count;
  return make_pass(add_row_norms, parameters, {}, {strided_groups(divide_up(elements, common_workgroup)), 1, 1},
                   common_workgroup);
}

PROXEL_THREADED_PASS(add_row_norms)(const Pass& pass) {
  using namespace passes;
  const auto parameters = pass.as<AddRowNormsParameters>();
  for (std::uint64_t row = 0; row < parameters.row_count; ++row) {
    const float norm = at<const float>(parameters.norms)[row];
    auto* elements = at<std::uint32_t>(parameters.matrix) + row * parameters.row_pitch;
    for (std::uint32_t query = 0; query < parameters.query_count; ++query)
      elements[query] = distance_key(std::bit_cast<float>(elements[query]) + norm, false);
  }
}

}  // namespace proxel
