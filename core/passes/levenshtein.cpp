#include <algorithm>
#include <numeric>
#include <vector>

#include "passes/grids.hpp"
#include "passes/reference.hpp"
#include "passes/string_items.hpp"
#include "proxel/passes/levenshtein.h"

namespace proxel {

Pass passes::make_levenshtein(const LevenshteinParameters& parameters, std::uint32_t symbol_bytes, std::uint32_t groups,
                              std::uint32_t query_count) {
  const std::uint64_t strip = std::min(parameters.words, levenshtein_strip);
  const std::uint64_t words = strip * parameters.alphabet;
  const auto shared = static_cast<std::uint32_t>(words <= levenshtein_shared ? words : 0);
  return make_pass(levenshtein, parameters, {.symbol_bytes = symbol_bytes, .shared_words = shared},
                   {groups, query_count, 1}, common_workgroup, 4 * std::max(shared, 1u));
}

// The table of all prefixes against all prefixes, a row at a time.
PROXEL_THREADED_PASS(levenshtein)(const Pass& pass) {
  using namespace passes;
  const auto parameters = pass.as<LevenshteinParameters>();
  const std::uint32_t symbol_bytes = pass.constants_as<LevenshteinConstants>().symbol_bytes;
  std::vector<std::uint32_t> row;
  for (std::uint64_t query = 0; query < pass.grid.y; ++query) {
    const StringItems items(parameters, query);
    const std::uint32_t length = items.query_length();
    for (std::uint64_t item = 0; item < items.count(); ++item) {
      const std::uint64_t place = items.place(item);
      row.resize(length + 1);
      std::iota(row.begin(), row.end(), 0u);
      for (std::uint32_t j = 0; j < items.string_length(place); ++j) {
        const std::uint32_t symbol = symbol_at(parameters, symbol_bytes, place, j);
        std::uint32_t diagonal = row[0]++;
        for (std::uint32_t i = 0; i < length; ++i) {
          const std::uint32_t replaced = diagonal + (items.has(symbol, i) ? 0 : 1);
          diagonal = row[i + 1];
          row[i + 1] = std::min({replaced, row[i] + 1, row[i + 1] + 1});
        }
      }
      items.put(item, place, row[length]);
    }
  }
}

}  // namespace proxel
