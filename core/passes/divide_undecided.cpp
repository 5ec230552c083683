#include "passes/filter.hpp"
#include "passes/grids.hpp"
#include "passes/reference.hpp"
#include "passes/strided_queries.hpp"
#include "proxel/passes/divide_undecided.h"

namespace proxel {

Pass passes::make_divide_undecided(const DivideUndecidedParameters& parameters, std::uint32_t queries) {
  return make_pass(divide_undecided, parameters, {}, {strided_queries(queries, true), 1, 1}, common_workgroup);
}

PROXEL_PASS(divide_undecided)(const Pass& pass) {
  using namespace passes;
  const auto parameters = pass.as<DivideUndecidedParameters>();
  const auto* undecided = at<const std::uint32_t>(parameters.undecided);
  auto* sparse = at<std::uint32_t>(parameters.sparse);
  auto* others = at<std::uint32_t>(parameters.others);
  for (std::uint32_t i = 0; i < undecided[0]; ++i) {
    const std::uint32_t query = undecided[4 + i];
    std::uint32_t allowed = 0;
    Filter(parameters.filter_bits, query, parameters.filter_stride)
        .for_each_allowed(0, parameters.row_count, [&](std::uint64_t) { ++allowed; });
    auto* const list = allowed <= parameters.most ? sparse : others;
    list[4 + list[0]++] = query;
    if (list == sparse) ++others[1];
  }
}

}  // namespace proxel
