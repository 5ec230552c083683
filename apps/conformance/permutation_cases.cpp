// The permutation index: its two passes over distances of any kind, and whole searches,
// whose candidates and answers the case works out itself.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "case.hpp"
#include "guarded_buffer.hpp"
#include "pass_script.hpp"
#include "permutation_oracle.hpp"
#include "proxel/passes/counting_select.h"
#include "proxel/passes/permutation_distance.h"
#include "proxel/permutation.hpp"
#include "random.hpp"
#include "string_oracle.hpp"

namespace proxel::conformance {
namespace {

using passes::PermutationDistance;

struct PassCase {
  std::uint32_t objects, permutants, queries, groups;
  PermutationDistance distance;
  std::uint32_t kept;
  std::uint32_t content;

  std::string name() const {
    return fmt::format("pass/permutations/{}/objects={},permutants={},kept={},queries={},groups={}{}",
                       proxel::to_string(distance), objects, permutants, kept, queries, groups,
                       content == passes::permutation_binary32 ? "" : fmt::format(",bytes={}", content));
  }
};

// Few different distance keys, so that many permutants tie: past 2^31, and those of NaN.
std::vector<std::uint32_t> tied_distances(std::uint64_t count, Random& random) {
  std::vector<std::uint32_t> keys(count);
  for (std::uint32_t& key : keys) key = 0xFFFFFFFFu - static_cast<std::uint32_t>(random.bits() % 13) * 0x13B13B13u;
  return keys;
}

void write_script(PassScript& script, const PassCase& c, std::uint64_t seed) {
  Random random(seed);
  const auto bytes = [&](std::uint32_t objects) {
    return std::uint64_t{(objects + 31) / 32} * 32 * ((c.permutants + 3) / 4) * 4;
  };
  passes::PermutationsParameters permutations{};
  permutations.permutants = c.permutants;
  permutations.kept = c.kept;
  // A matrix of [permutants x objects], as building has it.
  permutations.distances = script.input("distances", tied_distances(std::uint64_t{c.objects} * c.permutants, random));
  permutations.positions = script.output("positions", bytes(c.objects));
  permutations.objects = c.objects;
  permutations.object_stride = 1;
  permutations.permutant_stride = c.objects;
  script.add_pass(passes::make_permutations(permutations));
  const std::uint64_t positions = permutations.positions;

  // [queries x permutants], in two goes that meet inside a block.
  const auto of_queries = tied_distances(std::uint64_t{c.queries} * c.permutants, random);
  const std::uint64_t query_distances = script.input("query distances", of_queries);
  permutations.positions = script.output("query positions", bytes(c.queries));
  permutations.object_stride = c.permutants;
  permutations.permutant_stride = 1;
  const std::uint32_t first = c.queries / 3;
  for (const auto& [begin, end] : {std::pair{0u, first}, std::pair{first, c.queries}}) {
    if (begin == end) continue;
    permutations.distances = query_distances + std::uint64_t{4} * begin * c.permutants;
    permutations.first_object = begin;
    permutations.objects = end - begin;
    script.add_pass(passes::make_permutations(permutations));
  }

  passes::PermutationDistanceParameters distance{};
  distance.positions = positions;
  distance.query_positions = permutations.positions;
  distance.objects = c.objects;
  distance.distance_stride = (c.objects + 15) / 8 * 8;
  distance.permutants = c.permutants;
  distance.first_query = c.queries / 2;
  distance.query_count = c.queries - distance.first_query;
  const std::uint64_t number_bytes = c.content == passes::permutation_two_bytes ? 2 : 4;
  distance.distances =
      script.output("permutation distances", number_bytes * distance.query_count * distance.distance_stride);
  script.add_pass(passes::make_permutation_distance(distance, c.distance, c.content, c.groups));
}

struct CountingCase {
  std::uint32_t rows, columns, k, number_bytes, largest, counters, workgroup;

  std::string name() const {
    return fmt::format("pass/counting_select/rows={},columns={},k={},bytes={},largest={},counters={},workgroup={}",
                       rows, columns, k, number_bytes, largest, counters, workgroup);
  }
};

// Numbers up to the largest, which is among them, few of them or many; behind the columns
// numbers that would come first.
template <typename Number>
std::vector<Number> counted_numbers(const CountingCase& c, std::uint32_t stride, Random& random) {
  std::vector<Number> numbers(std::uint64_t{c.rows} * stride, 0);
  for (std::uint32_t row = 0; row < c.rows; ++row) {
    const std::uint64_t different = row % 3 == 0 ? 3 : std::uint64_t{c.largest} + 1;
    for (std::uint32_t column = 0; column < c.columns; ++column) {
      const std::uint64_t number = random.below(different);
      numbers[std::uint64_t{row} * stride + column] =
          static_cast<Number>(row % 2 == 0 ? c.largest - std::min<std::uint64_t>(number, c.largest) : number);
    }
  }
  return numbers;
}

void write_script(PassScript& script, const CountingCase& c, std::uint64_t seed) {
  Random random(seed);
  passes::CountingSelectParameters parameters{};
  parameters.row_stride = (c.columns + 15) / 8 * 8;
  parameters.numbers = c.number_bytes == 2
                           ? script.input("numbers", counted_numbers<std::uint16_t>(c, parameters.row_stride, random))
                           : script.input("numbers", counted_numbers<std::uint32_t>(c, parameters.row_stride, random));
  parameters.found_stride = c.k + c.rows % 3;
  parameters.columns_found = script.output("columns found", std::uint64_t{4} * c.rows * parameters.found_stride);
  parameters.rows = c.rows;
  parameters.columns = c.columns;
  parameters.k = c.k;
  parameters.largest = c.largest;
  script.add_pass(passes::make_counting_select(parameters, c.number_bytes, c.counters, c.workgroup));
}

struct SearchCase {
  StringKind kind;
  std::uint64_t strings, queries, k;
  std::uint32_t permutants;
  double fraction;
  PermutationDistance distance;
  std::uint64_t scratch_limit = std::uint64_t{256} << 20;
  std::uint32_t prefix = 0;
  float radius = -1;  // instead of k, unless it is negative
  StringDistance strings_by = StringDistance::levenshtein;
  SelectionMethod selection = SelectionMethod::automatic;

  std::string name() const {
    return fmt::format("strings/permutation/{}/n={},q={},{},permutants={},fraction={}{}{}/{}",
                       proxel::to_string(distance), strings, queries,
                       radius < 0 ? fmt::format("k={}", k) : fmt::format("radius={}", radius), permutants, fraction,
                       fmt::format("{}{}", prefix == 0 ? "" : fmt::format(",prefix={}", prefix),
                                   strings_by == StringDistance::hamming      ? ",hamming"
                                   : selection == SelectionMethod::quick_sort ? ",quick-sort"
                                                                              : ""),
                       scratch_limit >> 20 == 256 ? "" : ",scratch=1MiB", to_string(kind));
  }
};

Positions positions_of(const Symbols& string, const std::vector<Symbols>& permutants, std::uint32_t prefix,
                       StringDistance by) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> order;
  for (std::uint32_t i = 0; i < permutants.size(); ++i)
    order.emplace_back(oracle_distance(string, permutants[i], by), i);
  std::sort(order.begin(), order.end());
  std::vector<std::uint32_t> nearest;
  for (const auto& [distance, permutant] : order) nearest.push_back(permutant);
  return positions_in(nearest, prefix);
}

// Each query's candidates by (distance, index), as far as they are wanted.
using Answer = std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>>;

Answer expected(const SearchCase& c, const std::vector<Symbols>& database, const std::vector<Symbols>& queries,
                std::span<const std::uint32_t> permutants) {
  std::vector<Symbols> chosen;
  for (const std::uint32_t index : permutants) chosen.push_back(database[index]);
  std::vector<Positions> positions;
  for (const Symbols& string : database) positions.push_back(positions_of(string, chosen, c.prefix, c.strings_by));
  const std::uint64_t count = candidates_of(c.strings, c.k, c.fraction);
  Answer answer;
  for (const Symbols& query : queries) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> candidates;
    for (const std::uint32_t index :
         nearest_permutations(c.distance, positions_of(query, chosen, c.prefix, c.strings_by), positions, count))
      candidates.emplace_back(oracle_distance(query, database[index], c.strings_by), index);
    std::sort(candidates.begin(), candidates.end());
    if (c.radius < 0)
      candidates.resize(std::min<std::uint64_t>(c.k, count));
    else
      while (!candidates.empty() && static_cast<float>(candidates.back().first) > c.radius) candidates.pop_back();
    answer.push_back(candidates);
  }
  return answer;
}

Answer answer_of(PermutationIndex& index, const SearchCase& c, const Strings& queries) {
  Answer answer(queries.size());
  if (c.radius >= 0) {
    const RangeNeighbors found = index.range_search(queries, c.radius, c.fraction);
    for (std::uint64_t query = 0; query < queries.size(); ++query)
      for (std::uint64_t slot = found.offsets[query]; slot < found.offsets[query + 1]; ++slot)
        answer[query].emplace_back(static_cast<std::uint32_t>(found.distances[slot]), found.indices[slot]);
    return answer;
  }
  const Neighbors found = index.search(queries, c.k, c.fraction);
  for (std::uint64_t query = 0; query < queries.size(); ++query)
    for (std::uint64_t rank = 0; rank < c.k; ++rank)
      if (found.indices(query, rank) != no_neighbor || std::isfinite(found.distances(query, rank)))
        answer[query].emplace_back(static_cast<std::uint32_t>(found.distances(query, rank)),
                                   found.indices(query, rank));
  return answer;
}

void add_search(Cases& cases, const SearchCase& c, bool quick) {
  cases.push_back({c.name(), quick, [c](const Context& context) {
    auto database = std::make_shared<std::vector<Symbols>>(make_strings(c.kind, c.strings, context.seed));
    auto queries = std::make_shared<std::vector<Symbols>>(make_strings(c.kind, c.queries, context.seed + 1));
    return make_check([=, seed = context.seed](Device& device) -> Verdict {
      Strings rows, asked;
      for (const Symbols& one : *database) rows.add(encoded(one));
      for (const Symbols& one : *queries) asked.add(encoded(one));
      PermutationOptions options;
      options.permutants = c.permutants;
      options.seed = seed;
      options.distance = c.distance;
      options.prefix = c.prefix;
      options.string_distance = c.strings_by;
      options.selection = c.selection;
      options.scratch_limit = c.scratch_limit;
      PermutationIndex index(device, rows, options);
      const Answer right = expected(c, *database, *queries, index.permutants());
      const Answer found = answer_of(index, c, asked);
      std::vector<std::uint32_t> indices;
      for (std::size_t query = 0; query < right.size(); ++query) {
        if (found[query].size() != right[query].size())
          return Verdict::fail(fmt::format("query {}: {} strings were found, {} is right", query, found[query].size(),
                                           right[query].size()));
        for (std::size_t rank = 0; rank < right[query].size(); ++rank) {
          if (found[query][rank] != right[query][rank])
            return Verdict::fail(fmt::format("query {}, rank {}: string {} at {} was found, {} at {} is right", query,
                                             rank, found[query][rank].second, found[query][rank].first,
                                             right[query][rank].second, right[query][rank].first));
          indices.push_back(found[query][rank].second);
        }
      }
      return Verdict::pass(bytes_of(indices));
    });
  }});
}

}  // namespace

void add_permutation_cases(Cases& cases) {
  struct Sizes {
    std::uint32_t objects, permutants, queries, groups, kept;
  };
  constexpr Sizes sizes[] = {{1, 1, 1, 1, 1},      {31, 3, 2, 1, 3},      {33, 4, 40, 2, 1},      {129, 65, 5, 1, 64},
                             {1000, 64, 70, 3, 9}, {300, 255, 9, 2, 255}, {257, 256, 33, 1, 256}, {90, 256, 3, 2, 255}};
  for (const PermutationDistance distance : all_permutation_distances)
    for (const Sizes& s : sizes) {
      // Footrules of a few permutants are always small enough.
      const bool fits =
          passes::largest_permutation_distance(static_cast<std::uint32_t>(distance), s.permutants) < 0xFFFF;
      constexpr std::uint32_t contents[] = {passes::permutation_two_bytes, passes::permutation_binary32,
                                            passes::permutation_four_bytes};
      const std::uint32_t content = contents[fits ? s.objects % 3 : 1 + s.objects % 2];
      const PassCase c{s.objects, s.permutants, s.queries, s.groups, distance, s.kept, content};
      cases.push_back(
          {c.name(), s.permutants < 200 || distance == PermutationDistance::footrule, [c](const Context& context) {
        return check_passes(context, [c, seed = context.seed](PassScript& script) { write_script(script, c, seed); });
      }});
    }
  // Counters for every number, for ranges, for ranges of ranges.
  constexpr CountingCase counted[] = {{1, 1, 1, 2, 0, 1, 32},
                                      {3, 7, 7, 2, 9, 10, 128},
                                      {5, 8, 3, 4, 100, 30, 32},
                                      {70, 300, 20, 2, 2048, 2049, 128},
                                      {4, 5000, 700, 2, 8192, 4000, 256},
                                      {7, 2051, 2050, 2, 65534, 300, 64},
                                      {6, 9001, 33, 4, 5592320, 64, 256},
                                      {2, 4096, 1, 4, 0xFFFFFFFEu, 2, 128}};
  for (const CountingCase& c : counted)
    cases.push_back({c.name(), true, [c](const Context& context) {
      return check_passes(context, [c, seed = context.seed](PassScript& script) { write_script(script, c, seed); });
    }});
  constexpr StringKind kinds[] = {StringKind::words, StringKind::binary, StringKind::equal, StringKind::planes,
                                  StringKind::nucleotides};
  constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;
  std::size_t step = 0;
  for (const StringKind kind : kinds)
    for (const PermutationDistance distance : all_permutation_distances) {
      add_search(cases, {kind, 400, 7, 5, 16, 0.1, distance}, step % 2 == 0);
      // One object; more permutants and neighbours than objects; everything a candidate.
      add_search(cases, {kind, 1, 2, 1, 64, 0.5, distance}, step % 5 == 0);
      add_search(cases, {kind, 20, 3, 30, 64, 0.01, distance}, step % 3 == 0);
      add_search(cases, {kind, 150, 40, 3, 9, 1, distance}, step % 3 == 1);
      ++step;
    }
  for (const PermutationDistance distance : all_permutation_distances) {
    add_search(cases, {StringKind::words, 500, 7, 4, 40, 0.1, distance, 256 * mebibyte, 7}, true);
    add_search(cases, {StringKind::nucleotides, 300, 7, 1, 16, 0.2, distance, 256 * mebibyte, 0, 6}, true);
  }
  add_search(cases, {StringKind::words, 300, 7, 1, 200, 1, PermutationDistance::footrule, 256 * mebibyte, 1, 3}, true);
  add_search(cases,
             {StringKind::nucleotides, 400, 9, 5, 20, 0.1, PermutationDistance::footrule, 256 * mebibyte, 0, -1,
              StringDistance::hamming},
             true);
  constexpr SelectionMethod faithful = SelectionMethod::quick_sort;
  add_search(cases,
             {StringKind::words, 900, 40, 5, 20, 0.1, PermutationDistance::footrule, mebibyte, 0, -1,
              StringDistance::levenshtein, faithful},
             true);
  add_search(cases,
             {StringKind::words, 300, 9, 1, 20, 0.3, PermutationDistance::footrule, mebibyte, 0, 4,
              StringDistance::levenshtein, faithful},
             true);
  add_search(cases, {StringKind::binary, 900, 90, 1, 8, 0.3, PermutationDistance::footrule, mebibyte, 3, 2}, false);
  add_search(cases, {StringKind::words, 3000, 60, 4, 32, 0.02, PermutationDistance::footrule, mebibyte}, true);
  add_search(cases, {StringKind::long_ones, 80, 9, 4, 6, 0.2, PermutationDistance::footrule, mebibyte}, true);
}

}  // namespace proxel::conformance
