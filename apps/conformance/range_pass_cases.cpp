// Cases of the passes of range search: range_collect, range_offsets, range_sort
// and range_decode. Matches are written in any order, so that what is compared
// is what sorting leaves of them.
#include <algorithm>
#include <bit>
#include <numeric>

#include <fmt/format.h>

#include "case.hpp"
#include "layout.hpp"
#include "pass_script.hpp"
#include "proxel/passes/range_collect.h"
#include "proxel/passes/range_decode.h"
#include "proxel/passes/range_offsets.h"
#include "proxel/passes/range_sort.h"
#include "random.hpp"
#include "row_filter.hpp"

namespace proxel::conformance {
namespace {

constexpr std::uint32_t limit = 0x80000003u;

// One of nine values, of which four are within the limit, or now and then NaN.
std::uint32_t random_content(std::uint32_t content, Random& random) {
  if (random.one_in(30)) return 0xFFFFFFFFu;
  const auto number = static_cast<std::uint32_t>(random.below(9));
  if (content == passes::range_keys) return 0x80000000u + number;
  // -0 among them, and numbers of both signs.
  const float value = number == 4 ? -0.0f : static_cast<float>(number) - 4.0f;
  return std::bit_cast<std::uint32_t>(value);
}

struct CollectCase {
  std::uint32_t queries, columns, segment_columns;
  FilterChoice filter;
  bool capped;  // a quarter of the rows would fit
  std::uint32_t content = passes::range_keys;

  std::string name() const {
    constexpr const char* contents[] = {"", ",values", ",values-descending"};
    return fmt::format("pass/range_collect/queries={},columns={},segment={}{}{}{}", queries, columns, segment_columns,
                       filter.name(), capped ? ",capped" : "", contents[content]);
  }
};

void sort_all(PassScript& script, passes::RangeSortParameters parameters, std::uint64_t most, std::uint32_t groups,
              std::uint32_t queries) {
  script.add_pass(passes::make_range_sort(parameters, groups, queries));
  for (parameters.merged_log2 = passes::range_run_log2 + 1; std::uint64_t{1} << (parameters.merged_log2 - 1) < most;
       ++parameters.merged_log2)
    for (parameters.distance_log2 = parameters.merged_log2 - 1; parameters.distance_log2 >= passes::range_run_log2 - 1;
         --parameters.distance_log2)
      script.add_pass(passes::make_range_sort(parameters, groups, queries));
}

// Counts, sums up, collects and sorts.
void run_collect(PassScript& script, const CollectCase& c, const std::vector<std::uint32_t>& keys, std::uint32_t stride,
                 const Matrix<std::uint8_t>& filter) {
  constexpr std::uint32_t first_index = 1005;  // in the middle of a word, and of four bits
  passes::RangeCollectParameters collect{};
  collect.keys = script.input("keys", keys);
  if (c.filter.given) {
    collect.filter_bits = script.input("filter", words_of(filter, first_index));
    collect.filter_stride = c.filter.per_query ? (first_index + c.columns + 31) / 32 : 0;
  }
  const std::vector<std::uint32_t> zeros(c.queries, 0);
  collect.counters = script.output("counters", zeros);
  collect.columns = c.columns;
  collect.keys_stride = stride;
  collect.first_index = first_index;
  collect.segment_columns = c.segment_columns;
  collect.limit =
      c.content == passes::range_keys ? limit : distance_key(0.0f, c.content == passes::range_values_descending);
  script.add_pass(passes::make_range_collect(collect, c.queries, c.content));

  passes::RangeOffsetsParameters offsets{};
  offsets.counters = collect.counters;
  offsets.offsets = script.output("offsets", std::uint64_t{8} * (c.queries + 1));
  offsets.queries = c.queries;
  script.add_pass(passes::make_range_offsets(offsets));

  const std::uint64_t slots = std::uint64_t{c.queries} * c.columns;
  collect.capacity = c.capped ? slots / 4 : slots;
  collect.offsets = offsets.offsets;
  collect.indices = script.output("indices", slots * 4);
  collect.distance_keys = script.output("distance keys", slots * 4);
  collect.counters = script.output("fill counters", zeros);
  script.add_pass(passes::make_range_collect(collect, c.queries, c.content));
  sort_all(script, {offsets.offsets, collect.indices, collect.distance_keys, collect.capacity, 0, 0}, c.columns, 3,
           c.queries);
}

void add_collect(Cases& cases) {
  constexpr struct {
    std::uint32_t queries, columns, segment;
  } shapes[] = {{1, 1, 4}, {3, 7, 8}, {2, 513, 512}, {5, 2049, 600}, {130, 65, 68}, {1, 9000, 2048}};
  std::size_t step = 0;
  for (const auto& shape : shapes)
    for (const bool given : {false, true})
      for (const FilterPattern pattern : all_filter_patterns) {
        if (!given && pattern != FilterPattern::all) continue;
        const CollectCase c{shape.queries, shape.columns,
                            shape.segment, {given, pattern, step % 2 == 0},
                            step % 3 == 0, static_cast<std::uint32_t>(step / 2 % 3)};
        cases.push_back({c.name(), step++ % 2 == 0 || !given, [c](const Context& context) {
          Random random(context.seed);
          const std::uint32_t stride = (c.columns + 3) / 4 * 4 + 4;
          // Beyond the columns: keys that would match.
          std::vector<std::uint32_t> keys(std::uint64_t{c.queries} * stride, 0);
          for (std::uint32_t query = 0; query < c.queries; ++query)
            for (std::uint32_t column = 0; column < c.columns; ++column)
              keys[std::uint64_t{query} * stride + column] = random_content(c.content, random);
          const auto filter = make_filter(c.filter, c.columns, c.queries, context.seed + 1);
          return check_passes(
              context, [c, keys, stride, filter](PassScript& script) { run_collect(script, c, keys, stride, filter); });
        }});
      }
}

void add_offsets(Cases& cases) {
  for (const std::uint32_t queries : {1u, 2u, 127u, 1023u, 1024u, 1025u, 5000u})
    cases.push_back({fmt::format("pass/range_offsets/queries={}", queries), true, [queries](const Context& context) {
      Random random(context.seed);
      std::vector<std::uint32_t> counters(queries);
      // Sums that pass 32 bits.
      for (auto& counter : counters) counter = random.one_in(3) ? 0 : static_cast<std::uint32_t>(random.bits());
      return check_passes(context, [queries, counters](PassScript& script) {
        passes::RangeOffsetsParameters parameters{};
        parameters.counters = script.input("counters", counters);
        parameters.offsets = script.output("offsets", std::uint64_t{8} * (queries + 1));
        parameters.queries = queries / 3;
        if (parameters.queries != 0) script.add_pass(passes::make_range_offsets(parameters));
        // The others behind them.
        parameters.continues = parameters.queries != 0;
        parameters.counters += std::uint64_t{4} * parameters.queries;
        parameters.offsets += std::uint64_t{8} * parameters.queries;
        parameters.queries = queries - parameters.queries;
        script.add_pass(passes::make_range_offsets(parameters));
      });
    }});
}

struct Segments {
  std::vector<std::uint64_t> offsets;
  std::vector<std::uint32_t> indices, distance_keys;
};

Segments random_segments(const std::vector<std::uint32_t>& lengths, bool ties, Random& random) {
  Segments segments;
  segments.offsets.push_back(0);
  for (const std::uint32_t length : lengths) {
    std::vector<std::uint32_t> indices(length);
    std::iota(indices.begin(), indices.end(), 3u);
    for (std::uint32_t i = length; i > 1; --i) std::swap(indices[i - 1], indices[random.below(i)]);
    for (const std::uint32_t index : indices) {
      segments.indices.push_back(index);
      const float value = static_cast<float>(1 + random.below(ties ? 4 : 100000));
      segments.distance_keys.push_back(distance_key(value, false));
    }
    segments.offsets.push_back(segments.indices.size());
  }
  return segments;
}

void add_sort_and_decode(Cases& cases) {
  struct Lengths {
    const char* name;
    std::vector<std::uint32_t> of;
  };
  const Lengths lengths[] = {{"few", {1, 0, 2, 3, 5, 17}},
                             {"run", {2047, 2048, 2049, 1}},
                             {"runs", {4096, 4097, 0, 6000, 127}},
                             {"long", {20000}},
                             {"longer", {70001, 5000}}};
  for (const Lengths& many : lengths)
    for (const bool ties : {false, true})
      for (const bool capped : {false, true}) {
        const std::string shape = fmt::format("{}{}/{}", many.name, capped ? ",capped" : "", ties ? "ties" : "random");
        const bool quick = many.of.front() <= 4096 || (ties && !capped);
        const auto prepare = [many, ties](const Context& context) {
          Random random(context.seed);
          return random_segments(many.of, ties, random);
        };
        // The last query does not fit.
        const auto capacity = [capped](const Segments& segments) { return segments.indices.size() - (capped ? 1 : 0); };
        cases.push_back({"pass/range_sort/" + shape, quick, [=](const Context& context) {
          const Segments segments = prepare(context);
          return check_passes(context, [=](PassScript& script) {
            passes::RangeSortParameters sort{};
            sort.offsets = script.input("offsets", segments.offsets);
            sort.indices = script.output("indices", segments.indices);
            sort.distance_keys = script.output("distance keys", segments.distance_keys);
            sort.capacity = capacity(segments);
            sort_all(script, sort, *std::max_element(many.of.begin(), many.of.end()), 2,
                     static_cast<std::uint32_t>(many.of.size()));
          });
        }});
        cases.push_back({"pass/range_decode/" + shape, quick, [=](const Context& context) {
          const Segments segments = prepare(context);
          return check_passes(context, [=](PassScript& script) {
            passes::RangeDecodeParameters decode{};
            decode.offsets = script.input("offsets", segments.offsets);
            decode.distances = script.output("distances", segments.distance_keys);
            decode.capacity = capacity(segments);
            decode.largest_first = ties;
            decode.finish = !ties ? passes::finish_root : capped ? passes::finish_complement : passes::finish_none;
            script.add_pass(passes::make_range_decode(decode, 3, static_cast<std::uint32_t>(many.of.size())));
          });
        }});
      }
}

}  // namespace

void add_range_pass_cases(Cases& cases) {
  add_collect(cases);
  add_offsets(cases);
  add_sort_and_decode(cases);
}

}  // namespace proxel::conformance
