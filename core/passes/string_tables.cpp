#include <algorithm>

#include "passes/grids.hpp"
#include "passes/memory.hpp"
#include "passes/reference.hpp"
#include "proxel/passes/string_tables.h"

namespace proxel {

Pass passes::make_string_tables(const StringTablesParameters& parameters) {
  return make_pass(string_tables, parameters, {}, row_grid(parameters.query_count), common_workgroup);
}

PROXEL_PASS(string_tables)(const Pass& pass) {
  using namespace passes;
  const auto parameters = pass.as<StringTablesParameters>();
  const auto* offsets = at<const std::uint32_t>(parameters.offsets);
  const auto* symbols = at<const std::uint32_t>(parameters.symbols);
  for (std::uint64_t query = 0; query < parameters.query_count; ++query) {
    const std::uint64_t words = std::uint64_t{parameters.words} * parameters.alphabet;
    auto* table = at<std::uint32_t>(parameters.tables) + query * words;
    std::fill_n(table, words, 0u);
    for (std::uint32_t i = offsets[query]; i < offsets[query + 1]; ++i) {
      const std::uint32_t place = i - offsets[query];
      if (symbols[i] < parameters.alphabet)
        table[std::uint64_t{place / 32} * parameters.alphabet + symbols[i]] |= 1u << (place % 32);
    }
  }
}

}  // namespace proxel
