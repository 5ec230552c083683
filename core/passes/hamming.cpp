#include "proxel/passes/hamming.h"

#include "passes/grids.hpp"
#include "passes/reference.hpp"
#include "passes/string_items.hpp"

namespace proxel {

Pass passes::make_hamming(const LevenshteinParameters& parameters, std::uint32_t symbol_bytes, std::uint32_t groups,
                          std::uint32_t query_count) {
  return make_pass(hamming, parameters, {.symbol_bytes = symbol_bytes}, {groups, query_count, 1}, common_workgroup);
}

PROXEL_THREADED_PASS(hamming)(const Pass& pass) {
  using namespace passes;
  const auto parameters = pass.as<LevenshteinParameters>();
  for (std::uint64_t query = 0; query < pass.grid.y; ++query) {
    const StringItems items(parameters, query);
    for (std::uint64_t item = 0; item < items.count(); ++item) {
      const std::uint64_t place = items.place(item);
      items.put(item, place, items.hamming_distance(place, pass.constants_as<LevenshteinConstants>().symbol_bytes));
    }
  }
}

}  // namespace proxel
