#include "passes/grids.hpp"
#include "passes/reference.hpp"
#include "passes/select_by_sorting.hpp"
#include "proxel/passes/selection.hpp"
#include "proxel/passes/stream_select.h"

namespace proxel {

Pass passes::make_stream_select(const StreamSelectParameters& parameters, bool largest_first,
                                std::uint32_t workgroup_size, std::uint32_t capacity) {
  return make_pass(stream_select, parameters, {.capacity = capacity, .largest_first = largest_first},
                   row_grid(parameters.rows.rows), workgroup_size, pool_shared_bytes(capacity));
}

PROXEL_THREADED_PASS(stream_select)(const Pass& pass) {
  const auto parameters = pass.as<passes::StreamSelectParameters>();
  passes::select_by_sorting(parameters.rows, parameters.result,
                            pass.constants_as<passes::StreamSelectConstants>().largest_first != 0);
}

}  // namespace proxel
