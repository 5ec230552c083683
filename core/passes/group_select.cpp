#include "passes/grids.hpp"
#include "passes/reference.hpp"
#include "passes/select_by_sorting.hpp"
#include "proxel/passes/group_select.h"
#include "proxel/passes/selection.hpp"

namespace proxel {

Pass passes::make_group_select(const GroupSelectParameters& parameters, bool largest_first,
                               std::uint32_t workgroup_size, std::uint32_t capacity) {
  return make_pass(group_select, parameters, {.capacity = capacity, .largest_first = largest_first},
                   row_grid(parameters.rows.rows), workgroup_size, group_select_shared_bytes(capacity));
}

// The minima only spare reading; the answer is that of the whole row.
PROXEL_THREADED_PASS(group_select)(const Pass& pass) {
  const auto parameters = pass.as<passes::GroupSelectParameters>();
  passes::select_by_sorting(parameters.rows, parameters.result,
                            pass.constants_as<passes::GroupSelectConstants>().largest_first != 0);
}

}  // namespace proxel
