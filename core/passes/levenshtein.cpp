#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

#include "passes/grids.hpp"
#include "passes/reference.hpp"
#include "passes/string_blocks.hpp"
#include "proxel/passes.hpp"

namespace proxel {

Pass passes::make_levenshtein(const LevenshteinParameters& parameters, std::uint32_t symbol_bytes,
                              std::uint32_t groups, std::uint32_t query_count) {
  const std::uint64_t strip = std::min(parameters.words, levenshtein_strip);
  const std::uint64_t words = strip * parameters.alphabet;
  const auto shared = static_cast<std::uint32_t>(words <= levenshtein_shared ? words : 0);
  return make_pass("levenshtein", parameters, {common_workgroup, symbol_bytes, shared},
                   {groups, query_count, 1}, common_workgroup, 4 * std::max(shared, 1u));
}

// The table of all prefixes against all prefixes, a row at a time.
void reference::levenshtein(const Pass& pass) {
  using namespace passes;
  const auto parameters = pass.as<LevenshteinParameters>();
  const std::uint32_t symbol_bytes = pass.constants[1];
  const auto* offsets = at<const std::uint32_t>(parameters.offsets);
  std::vector<std::uint32_t> row;
  for (std::uint64_t query = 0; query < pass.grid.y; ++query) {
    const std::uint32_t length = offsets[query + 1] - offsets[query];
    const auto* table = at<const std::uint32_t>(parameters.tables) +
                        query * parameters.words * parameters.alphabet;
    const std::uint64_t count = parameters.candidates == 0 ? parameters.string_count : parameters.candidate_count;
    for (std::uint64_t item = 0; item < count; ++item) {
      const std::uint64_t place =
          parameters.candidates == 0 ? item
                                     : at<const std::uint32_t>(parameters.places)[at<const std::uint32_t>(
                                           parameters.candidates)[query * count + item]];
      float& distance = at<float>(parameters.distances)[query * parameters.distance_stride +
                                                        at<const std::uint32_t>(parameters.numbers)[place]];
      row.resize(length + 1);
      std::iota(row.begin(), row.end(), 0u);
      for (std::uint32_t j = 0; j < at<const std::uint32_t>(parameters.lengths)[place]; ++j) {
        const std::uint32_t symbol = symbol_at(parameters, symbol_bytes, place, j);
        std::uint32_t diagonal = row[0]++;
        for (std::uint32_t i = 0; i < length; ++i) {
          const bool same =
              (table[std::uint64_t{i / 32} * parameters.alphabet + symbol] >> (i % 32) & 1u) != 0;
          const std::uint32_t replaced = diagonal + (same ? 0 : 1);
          diagonal = row[i + 1];
          row[i + 1] = std::min({replaced, row[i] + 1, row[i + 1] + 1});
        }
      }
      distance = row[length] <= parameters.bound ? static_cast<float>(row[length])
                                                 : std::numeric_limits<float>::quiet_NaN();
    }
  }
}

}  // namespace proxel
