#include <algorithm>
#include <vector>

#include "passes/grids.hpp"
#include "passes/memory.hpp"
#include "passes/order.hpp"
#include "passes/reference.hpp"
#include "proxel/passes/counting_select.h"

namespace proxel {

std::uint32_t passes::counting_shared_bytes(std::uint32_t counters, std::uint32_t workgroup_size) {
  constexpr std::uint32_t smallest_subgroup = 4;
  return 4 * (counters + 2 * (workgroup_size / smallest_subgroup) + 2);
}

Pass passes::make_counting_select(const CountingSelectParameters& parameters, std::uint32_t number_bytes,
                                  std::uint32_t counters, std::uint32_t workgroup_size) {
  return make_pass(counting_select, parameters, {.number_bytes = number_bytes, .counters = counters},
                   row_grid(parameters.rows), workgroup_size, counting_shared_bytes(counters, workgroup_size));
}

// All numbers with their columns, sorted.
PROXEL_THREADED_PASS(counting_select)(const Pass& pass) {
  using namespace passes;
  const auto p = pass.as<CountingSelectParameters>();
  const std::uint32_t number_bytes = pass.constants_as<CountingSelectConstants>().number_bytes;
  std::vector<std::uint64_t> keys(p.columns);
  for (std::uint64_t row = 0; row < p.rows; ++row) {
    for (std::uint32_t column = 0; column < p.columns; ++column) {
      const std::uint64_t place = row * p.row_stride + column;
      const std::uint32_t number =
          number_bytes == 2 ? at<const std::uint16_t>(p.numbers)[place] : at<const std::uint32_t>(p.numbers)[place];
      keys[column] = make_key(number, column);
    }
    std::sort(keys.begin(), keys.end());
    auto* found = at<std::uint32_t>(p.columns_found) + row * p.found_stride;
    std::transform(keys.begin(), keys.begin() + p.k, found, index_of);
    std::sort(found, found + p.k);
  }
}

}  // namespace proxel
