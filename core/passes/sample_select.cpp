#include "proxel/passes/sample_select.h"

#include "passes/grids.hpp"
#include "passes/reference.hpp"
#include "passes/select_by_sorting.hpp"
#include "proxel/passes/screen_survivors.h"
#include "proxel/passes/selection.hpp"

namespace proxel {

std::uint32_t passes::sample_select_shared_bytes(std::uint32_t run) {
  return counting_bytes + run_shared_bytes(run) + 4;
}

Pass passes::make_sample_select(const SampleSelectParameters& parameters, bool largest_first, std::uint32_t run,
                                std::uint32_t workgroup_size) {
  const Grid rows = row_grid(parameters.rows.rows);
  return make_pass(sample_select, parameters, {.largest_first = largest_first, .run = run},
                   {parameters.parts, rows.x, rows.y}, workgroup_size, sample_select_shared_bytes(run));
}

// Lists only spare reading; the answer is that of the whole row.
PROXEL_THREADED_PASS(sample_select)(const Pass& pass) {
  const auto parameters = pass.as<passes::SampleSelectParameters>();
  passes::select_by_sorting(parameters.rows, parameters.result,
                            pass.constants_as<passes::SampleSelectConstants>().largest_first != 0);
}

}  // namespace proxel
