#include <algorithm>

#include "passes/grids.hpp"
#include "passes/memory.hpp"
#include "passes/reference.hpp"
#include "proxel/passes/insertion_sort.h"

namespace proxel {

Pass passes::make_insertion_sort(const InsertionSortParameters& parameters) {
  // Small workgroups, because there are only as many invocations as queries.
  constexpr std::uint32_t workgroup = 64;
  return make_pass(insertion_sort, parameters, {},
                   {static_cast<std::uint32_t>(divide_up(parameters.query_count, workgroup)), 1, 1}, workgroup);
}

PROXEL_THREADED_PASS(insertion_sort)(const Pass& pass) {
  using namespace passes;
  const auto parameters = pass.as<InsertionSortParameters>();
  for (std::uint64_t query = 0; query < parameters.query_count; ++query) {
    const auto key_at = [&](std::uint64_t rank) -> std::uint32_t& {
      return at<std::uint32_t>(parameters.nearest_keys)[rank * parameters.rank_pitch + query];
    };
    const auto index_at = [&](std::uint64_t rank) -> std::uint32_t& {
      return at<std::uint32_t>(parameters.nearest_indices)[rank * parameters.rank_pitch + query];
    };
    const bool tracked = parameters.nearest_indices != 0;
    std::uint32_t held = std::min(parameters.rows_before, parameters.k);
    for (std::uint64_t row = 0; row < parameters.row_count; ++row) {
      const std::uint32_t key = at<const std::uint32_t>(parameters.keys)[row * parameters.row_pitch + query];
      if (held == parameters.k && key >= key_at(held - 1)) continue;
      if (held < parameters.k) ++held;
      std::uint64_t rank = held - 1;
      for (; rank > 0 && key_at(rank - 1) > key; --rank) {
        key_at(rank) = key_at(rank - 1);
        if (tracked) index_at(rank) = index_at(rank - 1);
      }
      key_at(rank) = key;
      if (tracked) index_at(rank) = static_cast<std::uint32_t>(parameters.first_index + row);
    }
  }
}

}  // namespace proxel
