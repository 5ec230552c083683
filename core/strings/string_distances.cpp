#include "strings/string_distances.hpp"
#include "proxel/passes/hamming.h"
#include "proxel/passes/string_tables.h"

#include <algorithm>

#include <fmt/format.h>

#include "search/check.hpp"
#include "search/occupancy.hpp"

namespace proxel::strings {

using namespace search;

namespace {

constexpr std::uint32_t workgroup = 128;  // strings that a workgroup takes at a time
// A workgroup serves several tiles of strings, so that its table is worth staging.
constexpr std::uint32_t tiles_per_group = 64;

std::uint32_t words_of(std::uint64_t longest_query) {
  return static_cast<std::uint32_t>(std::max<std::uint64_t>(divide_up<std::uint64_t>(longest_query, 32), 1));
}

std::uint64_t bytes_of_table(std::uint32_t words, std::uint32_t alphabet) {
  return std::uint64_t{words} * alphabet * 4;
}

std::uint32_t carry_words(const StoredStrings& strings) { return divide_up(std::max(strings.longest, 1u), 32u); }

}  // namespace

StoredStrings::StoredStrings(Device& device, const PackedStrings& packed, const Alphabet& symbols_of, StringDistance by)
    // Without any symbol a table has one that stands nowhere.
    : distance(by),
      count(packed.lengths.size()),
      alphabet(std::max(symbols_of.size(), 1u)),
      longest(packed.lengths.back()),
      symbol_bytes(packed.symbol_bytes),
      memory(device, {&packed.symbols, &packed.block_lines, &packed.lengths, &packed.numbers, &packed.places}),
      symbols(memory.address(0)),
      block_lines(memory.address(1)),
      lengths(memory.address(2)),
      numbers(memory.address(3)),
      places(memory.address(4)) {}

std::uint32_t StringDistances::queries_at_once(const StoredStrings& strings, std::uint64_t longest_query,
                                               std::uint64_t bytes) {
  const std::uint64_t fitting = bytes / bytes_of_table(words_of(longest_query), strings.alphabet);
  return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(fitting, 1, 1u << 20));
}

StringDistances::StringDistances(const Device& device, const StoredStrings& strings, std::uint32_t queries,
                                 std::uint64_t longest_query, Items items, std::uint64_t limit,
                                 std::uint32_t most_queries)
    : strings_(strings), queries_(queries), items_(items), words_(words_of(longest_query)) {
  // Kernels count the words of a table in 32 bits.
  constexpr std::uint64_t most_table_bytes = std::uint64_t{1} << 32;
  if (const std::uint64_t bytes = bytes_of_table(words_, strings.alphabet); bytes > most_table_bytes)
    throw Error(ErrorCode::unsupported, "queries",
                fmt::format("of {} symbols, of an alphabet of {}, take tables of {} bytes; {} is the most",
                            longest_query, strings.alphabet, bytes, most_table_bytes));
  chunk_ = static_cast<std::uint32_t>(
      std::clamp<std::uint64_t>(limit / (stride() * 4), 1, std::min({queries, most_queries, largest_grid_extent})));
  const std::uint64_t tiles = divide_up<std::uint64_t>(items.count, workgroup);
  const std::uint64_t to_fill = divide_up(8 * wanted_groups(device.capabilities()), chunk_);
  groups_ = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(std::max(to_fill, tiles / tiles_per_group), 1,
                                                                 std::min<std::uint64_t>(tiles, largest_grid_extent)));
  // Queries past one strip of words leave differences for the next.
  if (words_ <= passes::levenshtein_strip || strings.distance != StringDistance::levenshtein) return;
  const std::uint64_t of_group = std::uint64_t{carry_words(strings)} * 2 * workgroup * 4;
  while (of_group * groups_ * chunk_ > limit && groups_ * chunk_ > 1)
    if (groups_ > 1)
      groups_ = divide_up(groups_, 2u);
    else
      chunk_ = divide_up(chunk_, 2u);
  carry_bytes_ = of_group * groups_ * chunk_;
}

std::uint64_t StringDistances::table_bytes() const { return queries_ * bytes_of_table(words_, strings_.alphabet); }

void StringDistances::record_tables(Recording& recording, std::uint64_t symbols, const StringAddresses& at) const {
  passes::StringTablesParameters tables{};
  tables.symbols = symbols;
  tables.offsets = at.offsets;
  tables.tables = at.tables;
  tables.query_count = queries_;
  tables.alphabet = strings_.alphabet;
  tables.words = words_;
  recording.record(passes::make_string_tables(tables));
}

void StringDistances::record(Recording& recording, const StringAddresses& at, std::uint32_t first, std::uint32_t count,
                             std::uint32_t bound, std::uint64_t candidates, std::uint32_t candidate_stride) const {
  passes::LevenshteinParameters pass{};
  pass.symbols = strings_.symbols;
  pass.block_lines = strings_.block_lines;
  pass.lengths = strings_.lengths;
  pass.numbers = strings_.numbers;
  pass.tables = at.tables + first * bytes_of_table(words_, strings_.alphabet);
  pass.offsets = at.offsets + std::uint64_t{first} * 4;
  pass.carries = at.carries;
  pass.distances = at.distances;
  pass.candidates = candidates;
  pass.places = strings_.places;
  pass.candidate_count = static_cast<std::uint32_t>(items_.count);
  pass.candidate_stride = candidate_stride;
  pass.listed = items_.listed;
  pass.string_count = static_cast<std::uint32_t>(strings_.count);
  pass.distance_stride = static_cast<std::uint32_t>(stride());
  pass.bound = bound;
  pass.alphabet = strings_.alphabet;
  pass.words = words_;
  pass.carry_words = carry_words(strings_);
  const auto make = strings_.distance == StringDistance::hamming ? passes::make_hamming : passes::make_levenshtein;
  recording.record(make(pass, strings_.symbol_bytes, groups_, count));
}

}  // namespace proxel::strings
