// The vectorised distances of strings beside the table of all prefixes.
#include <algorithm>
#include <numeric>

#include "proxel/passes/levenshtein.h"
#include "proxel/passes/string_tables.h"
#include "strings/packed_strings.hpp"
#include "support.hpp"

using namespace proxel;
using namespace proxel::passes;
using namespace proxel::unit;

namespace {

// Lengths on both sides of a word's 32 symbols, and of a line's; few of many.
constexpr std::array<std::uint32_t, 12> lengths = {0, 1, 3, 4, 5, 8, 31, 32, 33, 64, 65, 300};

Strings random_strings(std::uint32_t count, std::uint32_t alphabet, std::mt19937& generator) {
  Strings strings;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t length = lengths[generator() % lengths.size()];
    std::string text;
    for (std::uint32_t at = 0; at < length; ++at) {
      // Three bytes of UTF-8: U+1000 and on.
      const auto symbol = static_cast<std::uint32_t>(0x1000 + generator() % alphabet);
      text += {static_cast<char>(0xE0 | symbol >> 12), static_cast<char>(0x80 | (symbol >> 6 & 0x3F)),
               static_cast<char>(0x80 | (symbol & 0x3F))};
    }
    strings.add(text);
  }
  return strings;
}

enum class Candidates { none, by_number, listed };

void check(std::uint32_t count, std::uint32_t symbol_range, Candidates wanted, std::uint32_t bound = 0xFFFFFFFFu) {
  CAPTURE(count);
  CAPTURE(symbol_range);
  CAPTURE(static_cast<int>(wanted));
  CAPTURE(bound);
  std::mt19937 generator(count + symbol_range);
  const Strings strings = random_strings(count, symbol_range, generator);
  const Strings queries = random_strings(9, symbol_range, generator);
  const strings::Alphabet alphabet(strings);
  const strings::PackedStrings packed(strings, alphabet);
  const auto query_count = static_cast<std::uint32_t>(queries.size());

  std::vector<std::uint32_t> symbols, offsets = {0};
  for (std::uint32_t query = 0; query < query_count; ++query) {
    for (const std::uint32_t symbol : queries[query]) symbols.push_back(alphabet.number(symbol));
    offsets.push_back(static_cast<std::uint32_t>(symbols.size()));
  }
  StringTablesParameters tables{};
  tables.symbols = address_of(symbols.data());
  tables.offsets = address_of(offsets.data());
  tables.query_count = query_count;
  tables.alphabet = std::max(alphabet.size(), 1u);
  tables.words = (static_cast<std::uint32_t>(queries.longest()) + 31) / 32 + 1;  // one that no query reaches
  std::vector<std::uint32_t> table(std::size_t{query_count} * tables.words * tables.alphabet);
  tables.tables = address_of(table.data());
  reference::run(make_string_tables(tables));

  LevenshteinParameters pass{};
  pass.symbols = address_of(packed.symbols.data());
  pass.block_lines = address_of(packed.block_lines.data());
  pass.lengths = address_of(packed.lengths.data());
  pass.numbers = address_of(packed.numbers.data());
  pass.places = address_of(packed.places.data());
  pass.tables = tables.tables;
  pass.offsets = tables.offsets;
  pass.string_count = count;
  pass.distance_stride = count;
  pass.bound = bound;
  pass.alphabet = tables.alphabet;
  pass.words = tables.words;
  std::vector<std::uint32_t> candidates;
  if (wanted != Candidates::none) {
    // In no order, and not a whole block.
    pass.candidate_count = pass.candidate_stride = (count + 1) / 2;
    pass.listed = wanted == Candidates::listed;
    std::vector<std::uint32_t> all(count);
    std::iota(all.begin(), all.end(), 0u);
    for (std::uint32_t query = 0; query < query_count; ++query) {
      std::shuffle(all.begin(), all.end(), generator);
      candidates.insert(candidates.end(), all.begin(), all.begin() + pass.candidate_count);
    }
    pass.candidates = address_of(candidates.data());
  }
  std::vector<float> distances(std::size_t{query_count} * count, -1.0f);
  pass.distances = address_of(distances.data());
  expect_same(make_levenshtein(pass, packed.symbol_bytes, 1, query_count), distances);
}

}  // namespace

TEST_CASE("every instruction set finds the distances of strings, in blocks and of candidates") {
  constexpr Candidates all[] = {Candidates::none, Candidates::by_number, Candidates::listed};
  for (const std::uint32_t count : {1, 31, 32, 33, 257})
    for (const std::uint32_t symbol_range : {1, 4, 60, 2000})
      for (const Candidates wanted : all) check(count, symbol_range, wanted);
  check(4096 + 33, 4, Candidates::none);
  for (const std::uint32_t bound : {0, 3, 14, 15, 16, 40})
    for (const Candidates wanted : all) check(257, 4, wanted, bound);
}
