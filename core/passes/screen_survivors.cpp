#include "proxel/passes/screen_survivors.h"

#include <algorithm>
#include <vector>

#include "passes/collected_rows.hpp"
#include "passes/evaluated_rows.hpp"
#include "passes/reference.hpp"
#include "passes/selected.hpp"
#include "passes/strided_queries.hpp"

namespace proxel {

Pass passes::make_screen_survivors(const ScreenSurvivorsParameters& parameters, Metric metric,
                                   std::uint32_t workgroup_size, bool few, std::uint32_t element) {
  return make_pass(screen_survivors, parameters, {.metric = accumulated(metric), .element = element},
                   {strided_queries(parameters.query_count, few), 1, 1}, workgroup_size, counting_bytes);
}

void passes::list_survivors(const Pass& pass, const EvaluateRows& evaluate) {
  const auto parameters = pass.as<ScreenSurvivorsParameters>();
  auto* undecided = at<std::uint32_t>(parameters.undecided);
  const std::uint32_t count = selected_count(parameters.selected, parameters.first_selected, parameters.query_count);
  for (std::uint64_t slot = 0; slot < count; ++slot) {
    const std::uint64_t query =
        parameters.selected == 0 ? slot
                                 : at<const std::uint32_t>(parameters.selected)[4 + parameters.first_selected + slot];
    std::vector<std::uint32_t> rows = surviving_rows(parameters, slot).value_or(std::vector<std::uint32_t>());
    if (rows.size() < parameters.k || rows.size() > parameters.room) {
      undecided[4 + undecided[0]++] = static_cast<std::uint32_t>(parameters.first_query + query);
      rows.clear();
    }
    at<std::uint32_t>(parameters.survivor_counts)[slot] = static_cast<std::uint32_t>(rows.size());
    evaluate(at<const float>(parameters.queries) + query * parameters.dimensions, rows,
             at<std::uint64_t>(parameters.survivors) + slot * parameters.room);
  }
}

PROXEL_THREADED_PASS(screen_survivors)(const Pass& pass) {
  passes::list_survivors(pass, passes::one_by_one(pass.as<passes::ScreenSurvivorsParameters>(),
                                                  pass.constants_as<passes::ScreenSurvivorsConstants>()));
}

}  // namespace proxel
