// Rows that screening left: several are evaluated at a time, by all threads where they are many.

#include <algorithm>

#include "cpu/candidate_distances.hpp"
#include "cpu/machine.hpp"
#include "passes/evaluated_rows.hpp"
#include "passes/grids.hpp"
#include "proxel/passes/screen_refine.h"
#include "proxel/passes/screen_survivors.h"

namespace proxel::cpu {
namespace {

// Rows that a thread takes at a time.
constexpr std::uint64_t run_rows = 128;

template <typename Parameters, typename Constants>
passes::EvaluateRows evaluation(const Parameters& parameters, const Constants& constants, Machine& machine) {
  return [=, &machine](const float* query, const std::vector<std::uint32_t>& rows, std::uint64_t* keys) {
    machine.workers.for_each(passes::divide_up(rows.size(), run_rows), [&](std::uint64_t item) {
      const std::uint64_t first = item * run_rows, count = std::min(run_rows, rows.size() - first);
      if (constants.element == passes::element_float32)
        return for_each_candidate(constants.metric, parameters.rows, 0, query, parameters.dimensions,
                                  rows.data() + first, count, 1,
                                  [&](std::uint64_t i, std::uint32_t row, std::uint32_t distance) {
          keys[first + i] = passes::make_key(distance, row);
        });
      for (std::uint64_t i = first; i < first + count; ++i)
        keys[i] = passes::screened_key(parameters, constants, query, rows[i]);
    });
  };
}

}  // namespace

void screen_refine(const Pass& pass, Machine& machine) {
  passes::refine(pass, evaluation(pass.as<passes::ScreenRefineParameters>(),
                                  pass.constants_as<passes::ScreenRefineConstants>(), machine));
}

void screen_survivors(const Pass& pass, Machine& machine) {
  passes::list_survivors(pass, evaluation(pass.as<passes::ScreenSurvivorsParameters>(),
                                          pass.constants_as<passes::ScreenSurvivorsConstants>(), machine));
}

}  // namespace proxel::cpu
