// Strings under the Levenshtein and the Hamming distance: the passes over strings that the case
// packs itself, and whole searches through proxel::StringIndex, of the k nearest and of
// all within a radius, against the oracle.
#include <algorithm>
#include <cstring>
#include <numeric>
#include <set>

#include <fmt/format.h>

#include "case.hpp"
#include "guarded_buffer.hpp"
#include "pass_script.hpp"
#include "proxel/passes/hamming.h"
#include "proxel/passes/string_tables.h"
#include "proxel/strings.hpp"
#include "string_oracle.hpp"

namespace proxel::conformance {
namespace {

// Symbols as numbers of an alphabet, by levenshtein.h.
struct Packed {
  std::vector<std::uint32_t> symbols, block_lines, lengths, numbers;
};

Packed pack(const std::vector<Symbols>& strings, std::uint32_t symbol_bytes) {
  Packed packed;
  packed.numbers.resize(strings.size());
  std::iota(packed.numbers.begin(), packed.numbers.end(), 0u);
  std::stable_sort(packed.numbers.begin(), packed.numbers.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return strings[a].size() < strings[b].size(); });
  const std::size_t per = 4 / symbol_bytes;
  for (std::size_t first = 0; first < strings.size(); first += 32) {
    const std::size_t end = std::min(first + 32, strings.size());
    const std::size_t line = packed.symbols.size() / 32;
    packed.block_lines.push_back(static_cast<std::uint32_t>(line));
    const std::size_t longest = strings[packed.numbers[end - 1]].size();
    packed.symbols.resize((line + (longest + per - 1) / per) * 32, 0);
    for (std::size_t place = first; place < end; ++place) {
      const Symbols& string = strings[packed.numbers[place]];
      packed.lengths.push_back(static_cast<std::uint32_t>(string.size()));
      for (std::size_t i = 0; i < string.size(); ++i)
        packed.symbols[(line + i / per) * 32 + place % 32] |= string[i] << (i % per * 8 * symbol_bytes);
    }
  }
  if (packed.symbols.empty()) packed.symbols.push_back(0);
  return packed;
}

constexpr std::uint32_t no_bound = 0xFFFFFFFFu;

struct PassCase {
  StringKind kind;
  std::uint32_t strings, queries, groups, symbol_bytes, alphabet, bound;
  StringDistance distance;

  std::string name() const {
    return fmt::format("pass/{}/strings={},queries={},groups={},bytes={},alphabet={}{}/{}",
                       distance == StringDistance::hamming ? "hamming" : "strings", strings, queries, groups,
                       symbol_bytes, alphabet, bound == no_bound ? "" : fmt::format(",bound={}", bound),
                       to_string(kind));
  }
};

void write_script(PassScript& script, const PassCase& c, std::uint64_t seed) {
  auto database = make_strings(c.kind, c.strings, seed);
  auto queries = make_strings(c.kind, c.queries, seed + 1);
  for (auto* strings : {&database, &queries})
    for (Symbols& string : *strings)
      for (std::uint32_t& symbol : string) symbol %= c.alphabet;
  std::vector<std::uint32_t> symbols, offsets{0};
  std::size_t longest_query = 0, longest = 0;
  for (const Symbols& query : queries) {
    symbols.insert(symbols.end(), query.begin(), query.end());
    // A symbol that no string has.
    if (!query.empty()) symbols.back() = c.alphabet;
    offsets.push_back(static_cast<std::uint32_t>(symbols.size()));
    longest_query = std::max(longest_query, query.size());
  }
  for (const Symbols& string : database) longest = std::max(longest, string.size());
  symbols.push_back(0);
  const auto words = static_cast<std::uint32_t>(std::max<std::size_t>((longest_query + 31) / 32, 1));

  passes::StringTablesParameters tables{};
  tables.symbols = script.input("query symbols", symbols);
  tables.offsets = script.input("query offsets", offsets);
  tables.tables = script.output("tables", std::uint64_t{4} * c.queries * words * c.alphabet);
  tables.query_count = c.queries;
  tables.alphabet = c.alphabet;
  tables.words = words;
  script.add_pass(passes::make_string_tables(tables));

  const Packed packed = pack(database, c.symbol_bytes);
  passes::LevenshteinParameters pass{};
  pass.symbols = script.input("symbols", packed.symbols);
  pass.block_lines = script.input("block lines", packed.block_lines);
  pass.lengths = script.input("lengths", packed.lengths);
  pass.numbers = script.input("numbers", packed.numbers);
  pass.tables = tables.tables;
  pass.offsets = tables.offsets;
  pass.carry_words = static_cast<std::uint32_t>(std::max<std::size_t>((longest + 31) / 32, 1));
  pass.carries = script.workspace(std::uint64_t{8} * 128 * pass.carry_words * c.groups * c.queries);
  pass.distance_stride = c.strings + 1;
  pass.bound = c.bound;
  pass.distances = script.output("distances", std::uint64_t{4} * c.queries * pass.distance_stride);
  pass.string_count = c.strings;
  pass.alphabet = c.alphabet;
  pass.words = words;
  const auto make = c.distance == StringDistance::hamming ? passes::make_hamming : passes::make_levenshtein;
  script.add_pass(make(pass, c.symbol_bytes, c.groups, c.queries));
}

void add_passes(Cases& cases) {
  struct Shape {
    std::uint32_t strings, queries, groups, symbol_bytes, alphabet;
    std::uint32_t bound = no_bound;
  };
  // The last two alphabets are too large for shared memory.
  constexpr Shape shapes[] = {{1, 1, 1, 1, 2},      {33, 3, 1, 1, 26},     {129, 5, 2, 2, 300},
                              {300, 7, 3, 4, 40},   {1000, 3, 4, 1, 7},    {257, 4, 1, 1, 256},
                              {200, 2, 2, 2, 3000}, {260, 6, 2, 1, 26, 6}, {100, 3, 1, 2, 300, 0}};
  std::size_t step = 0;
  for (const StringKind kind : all_string_kinds)
    for (const Shape& s : shapes) {
      if (kind == StringKind::long_ones && s.strings > 300) continue;
      for (const StringDistance distance : {StringDistance::levenshtein, StringDistance::hamming}) {
        const PassCase c{kind, s.strings, s.queries, s.groups, s.symbol_bytes, s.alphabet, s.bound, distance};
        const bool quick = distance == StringDistance::levenshtein ? step % 2 == 0 : step % 5 == 0;
        cases.push_back({c.name(), quick, [c](const Context& context) {
          return check_passes(context, [c, seed = context.seed](PassScript& script) { write_script(script, c, seed); });
        }});
      }
      ++step;
    }
}

struct SearchCase {
  StringKind kind;
  std::uint64_t strings, queries, k;
  StringUnits units = StringUnits::code_points;
  std::uint64_t scratch_limit = std::uint64_t{256} << 20;

  std::string name() const {
    return fmt::format("strings/levenshtein/n={},q={},k={}{}{}/{}", strings, queries, k,
                       units == StringUnits::bytes ? ",bytes" : "", scratch_limit >> 20 == 256 ? "" : ",scratch=1MiB",
                       to_string(kind));
  }
};

// Strings as the index sees them: compared by bytes, a string is its UTF-8.
std::vector<Symbols> seen_as(StringUnits units, std::vector<Symbols> strings) {
  if (units == StringUnits::code_points) return strings;
  for (Symbols& string : strings) {
    const std::string text = encoded(string);
    string.assign(text.size(), 0);
    std::transform(text.begin(), text.end(), string.begin(),
                   [](char byte) { return static_cast<unsigned char>(byte); });
  }
  return strings;
}

Strings strings_of(StringUnits units, const std::vector<Symbols>& from) {
  Strings strings(units);
  for (const Symbols& one : from) strings.add(encoded(one));
  return strings;
}

void add_searches(Cases& cases) {
  constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;
  std::set<std::string> names;
  const auto add = [&](const SearchCase& c, bool quick) {
    if (!names.insert(c.name()).second) return;
    cases.push_back({c.name(), quick, [c](const Context& context) {
      const auto database = make_strings(c.kind, c.strings, context.seed);
      auto queries = make_strings(c.kind, c.queries, context.seed + 1);
      for (std::size_t i = 0; i < queries.size(); i += 3) queries[i] = database[(i * 7919) % database.size()];
      auto expected = std::make_shared<Neighbors>(
          oracle_nearest_strings(seen_as(c.units, database), seen_as(c.units, queries), c.k));
      auto rows = std::make_shared<Strings>(strings_of(c.units, database));
      auto asked = std::make_shared<Strings>(strings_of(c.units, queries));
      return make_check([=](Device& device) -> Verdict {
        StringIndexOptions options;
        options.scratch_limit = c.scratch_limit;
        StringIndex index(device, *rows, options);
        // Twice: what was recorded is submitted again.
        for (int turn = 0; turn < 2; ++turn) {
          const Neighbors found = index.search(*asked, c.k);
          for (std::uint64_t slot = 0; slot < c.queries * c.k; ++slot) {
            const std::uint32_t index_found = found.indices.data()[slot];
            const float distance_found = found.distances.data()[slot];
            if (index_found != expected->indices.data()[slot] || distance_found != expected->distances.data()[slot])
              return Verdict::fail(fmt::format("query {}, rank {}: string {} at {} was found, {} at {} is right",
                                               slot / c.k, slot % c.k, index_found, distance_found,
                                               expected->indices.data()[slot], expected->distances.data()[slot]));
          }
          if (turn == 1)
            return Verdict::pass(
                bytes_of(std::vector<std::uint32_t>(found.indices.data(), found.indices.data() + c.queries * c.k)));
        }
        return Verdict::pass();
      });
    }});
  };
  struct Sizes {
    std::uint64_t strings, queries, k;
  };
  constexpr Sizes sizes[] = {{1, 1, 1}, {2, 3, 5}, {31, 4, 31}, {33, 65, 2}, {129, 9, 130}, {700, 5, 16}};
  std::size_t step = 0;
  for (const StringKind kind : all_string_kinds)
    for (const Sizes& s : sizes) {
      if (kind == StringKind::long_ones && s.strings > 300) continue;
      const bool bytes = step % 3 == 1;
      add({kind, s.strings, s.queries, s.k, bytes ? StringUnits::bytes : StringUnits::code_points}, step % 2 == 0);
      ++step;
    }
  for (const StringKind kind : {StringKind::words, StringKind::long_ones, StringKind::planes})
    add({kind, kind == StringKind::words ? 3000u : 150u, 200, 3, StringUnits::code_points, mebibyte},
        kind != StringKind::long_ones);
}

struct RangeCase {
  StringKind kind;
  std::uint64_t strings, queries;
  float radius;
  std::uint64_t scratch_limit = std::uint64_t{256} << 20;
  StringDistance distance = StringDistance::levenshtein;

  std::string name() const {
    return fmt::format("strings/range/{}/n={},q={},radius={}{}/{}", proxel::to_string(distance), strings, queries,
                       radius, scratch_limit >> 20 == 256 ? "" : ",scratch=1MiB", to_string(kind));
  }
};

void add_range(Cases& cases, const RangeCase& c, bool quick) {
  cases.push_back({c.name(), quick, [c](const Context& context) {
    const auto database = make_strings(c.kind, c.strings, context.seed);
    auto queries = make_strings(c.kind, c.queries, context.seed + 1);
    for (std::size_t i = 0; i < queries.size(); i += 3) queries[i] = database[(i * 7919) % database.size()];
    auto expected = std::make_shared<RangeNeighbors>(oracle_strings_within(database, queries, c.radius, c.distance));
    auto rows = std::make_shared<Strings>(strings_of(StringUnits::code_points, database));
    auto asked = std::make_shared<Strings>(strings_of(StringUnits::code_points, queries));
    return make_check([=](Device& device) -> Verdict {
      StringIndexOptions options;
      options.scratch_limit = c.scratch_limit;
      options.distance = c.distance;
      StringIndex index(device, *rows, options);
      RangeNeighbors found;
      // Twice: what was recorded is submitted again.
      for (int turn = 0; turn < 2; ++turn) {
        found = index.range_search(*asked, c.radius);
        if (found.offsets != expected->offsets) return Verdict::fail("another number of matches");
        for (std::size_t slot = 0; slot < found.indices.size(); ++slot)
          if (found.indices[slot] != expected->indices[slot] || found.distances[slot] != expected->distances[slot])
            return Verdict::fail(fmt::format("match {}: string {} at {} was found, {} at {} is right", slot,
                                             found.indices[slot], found.distances[slot], expected->indices[slot],
                                             expected->distances[slot]));
      }
      return Verdict::pass(bytes_of(found.indices));
    });
  }});
}

void add_ranges(Cases& cases) {
  struct Sizes {
    std::uint64_t strings, queries;
    float radius;
  };
  constexpr Sizes sizes[] = {{1, 2, 0}, {33, 5, 3.5f}, {129, 9, -1}, {400, 7, 5}, {300, 3, 1e30f}, {257, 4, 40}};
  std::size_t step = 0;
  for (const StringKind kind : all_string_kinds)
    for (const Sizes& s : sizes)
      if (kind != StringKind::long_ones || s.strings < 300)
        for (const StringDistance distance : {StringDistance::levenshtein, StringDistance::hamming})
          add_range(cases, {kind, s.strings, s.queries, s.radius, std::uint64_t{256} << 20, distance}, step++ % 3 == 0);
  // More matches than there is room for at first; several chunks of queries.
  add_range(cases, {StringKind::equal, 900, 5, 0}, true);
  add_range(cases, {StringKind::words, 3000, 150, 2, std::uint64_t{1} << 20}, true);
}

}  // namespace

void add_string_cases(Cases& cases) {
  add_passes(cases);
  add_searches(cases);
  add_ranges(cases);
}

}  // namespace proxel::conformance
