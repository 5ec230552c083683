#include "proxel/passes/sample_bound.h"

#include <algorithm>

#include "passes/grids.hpp"
#include "passes/reference.hpp"
#include "passes/selection_rows.hpp"
#include "proxel/passes/selection.hpp"

namespace proxel {

Pass passes::make_sample_bound(const SampleBoundParameters& parameters, bool largest_first,
                               std::uint32_t workgroup_size, std::uint32_t capacity) {
  return make_pass(sample_bound, parameters, {.capacity = capacity, .largest_first = largest_first},
                   row_grid(parameters.rows.rows), workgroup_size, pool_shared_bytes(capacity));
}

PROXEL_THREADED_PASS(sample_bound)(const Pass& pass) {
  using namespace passes;
  const auto parameters = pass.as<SampleBoundParameters>();
  const bool largest_first = pass.constants_as<SampleBoundConstants>().largest_first != 0;
  const std::uint64_t step = parameters.sample_step, rank = parameters.sample_rank, parts = parameters.parts;
  std::vector<std::uint64_t> keys;
  for (std::uint64_t row = 0; row < parameters.rows.rows; ++row) {
    const float* values = row_values(parameters.rows, row);
    const std::uint64_t skip = reinterpret_cast<std::uintptr_t>(values) / 4 % 4;
    const std::uint64_t end = parameters.rows.columns + skip;
    keys.clear();
    for (std::uint64_t number = 0; 4 * number * step < end; ++number) {
      std::uint32_t hash;
      PROXEL_SAMPLE_HASH(hash, static_cast<std::uint32_t>(number));
      const std::uint64_t first = 4 * (number * step + (hash * step >> 32));
      for (std::uint64_t at = std::max(first, skip); at < std::min(first + 4, end); ++at)
        keys.push_back(make_key(distance_key(values[at - skip], largest_first), static_cast<std::uint32_t>(at - skip)));
    }
    std::sort(keys.begin(), keys.end());
    for (std::uint64_t part = 0; part < parts; ++part) {
      const std::uint64_t number = (part + 1) * rank / parts;
      at<std::uint64_t>(parameters.bounds)[row * parts + part] = number <= keys.size() ? keys[number - 1] : no_row_key;
      at<std::uint32_t>(parameters.counters)[row * parts + part] = 0;
    }
  }
}

}  // namespace proxel
