// Cases of the passes that work on keys: merge_lists, select_rows, decode_keys.
#include <algorithm>
#include <bit>
#include <limits>

#include <fmt/format.h>

#include "case.hpp"
#include "layout.hpp"
#include "pass_script.hpp"
#include "proxel/passes/decode_keys.h"
#include "proxel/passes/merge_lists.h"
#include "proxel/passes/select_rows.h"
#include "random.hpp"
#include "row_filter.hpp"

namespace proxel::conformance {
namespace {

// Distance keys out of few values or out of many, now and then the key of NaN.
std::uint32_t random_distance_key(Random& random, bool ties) {
  if (random.one_in(40)) return 0xFFFFFFFFu;
  return ties ? 0x80000000u + static_cast<std::uint32_t>(random.below(6)) : static_cast<std::uint32_t>(random.bits());
}

// Ascending lists of keys of different rows; some lists end early, some are empty.
std::vector<std::uint64_t> random_lists(Random& random, std::uint64_t list_count, std::uint32_t k, bool ties,
                                        std::uint32_t first_index) {
  std::vector<std::uint64_t> keys;
  keys.reserve(list_count * k);
  std::uint32_t index = first_index;
  for (std::uint64_t list = 0; list < list_count; ++list) {
    const std::uint64_t length = random.one_in(3) ? random.below(std::uint64_t{k} + 1) : k;
    std::vector<std::uint64_t> one(k, no_row_key);
    for (std::uint64_t i = 0; i < length; ++i) one[i] = make_key(random_distance_key(random, ties), index++);
    std::sort(one.begin(), one.end());
    keys.insert(keys.end(), one.begin(), one.end());
  }
  return keys;
}

void add_merge_lists(Cases& cases) {
  struct Shape {
    std::uint32_t queries, list_count, k, extra_stride;
  };
  constexpr Shape shapes[] = {{1, 1, 1, 0},    {3, 2, 1, 0},    {2, 129, 1, 5}, {1, 1000, 1, 0}, {1, 3, 2, 0},
                              {5, 16, 3, 1},   {2, 7, 5, 0},    {1, 64, 10, 0}, {3, 33, 16, 2},  {1, 5, 63, 0},
                              {2, 9, 64, 0},   {1, 17, 65, 3},  {129, 2, 4, 0}, {1, 40, 100, 0}, {1, 2, 513, 0},
                              {2, 6, 1000, 1}, {1, 10, 1024, 0}};
  std::size_t step = 0;
  for (const Shape& shape : shapes)
    for (const bool ties : {false, true}) {
      const bool quick = step++ % 3 != 2;
      cases.push_back({fmt::format("pass/merge_lists/queries={},lists={},k={},stride={}/{}", shape.queries,
                                   shape.list_count, shape.k, shape.k + shape.extra_stride, ties ? "ties" : "random"),
                       quick, [shape, ties](const Context& context) {
        Random random(context.seed);
        const auto lists = random_lists(random, std::uint64_t{shape.queries} * shape.list_count, shape.k, ties, 0);
        return check_passes(context, [shape, lists](PassScript& script) {
          passes::MergeListsParameters parameters{};
          parameters.merged_stride = shape.k + shape.extra_stride;
          parameters.lists = script.input("lists", lists);
          parameters.merged = script.output("merged", std::uint64_t{8} * shape.queries * parameters.merged_stride);
          parameters.list_count = shape.list_count;
          parameters.k = shape.k;
          script.add_pass(passes::make_merge_lists(parameters, shape.queries));
        });
      }});
    }
}

void add_select_rows(Cases& cases) {
  struct Shape {
    std::uint32_t queries, columns, segments, k;
  };
  constexpr Shape shapes[] = {{1, 1, 1, 1},      {2, 4, 1, 1},    {3, 257, 1, 2},     {1, 1000, 1, 10},
                              {2, 1000, 4, 1},   {5, 300, 2, 16}, {1, 5000, 3, 64},   {2, 2049, 2, 65},
                              {1, 4000, 1, 100}, {9, 128, 1, 5},  {1, 3000, 2, 1000}, {1, 5000, 1, 1024},
                              {129, 65, 1, 3}};
  std::size_t step = 0;
  for (const Shape& shape : shapes)
    for (const bool ties : {false, true})
      for (const bool first_chunk : {true, false})
        for (const bool continued : {false, true}) {
          // One case in two is filtered, now by one filter, now by one per query.
          const FilterChoice choice{step % 2 == 1, all_filter_patterns[step / 2 % 6], step % 4 == 1};
          // Three of eight for each shape, not the same three for its neighbours.
          const bool quick = (step++ * 3) % 8 < 3;
          cases.push_back(
              {fmt::format("pass/select_rows/queries={},columns={},segments={},k={}{}{}{}/{}", shape.queries,
                           shape.columns, shape.segments, shape.k, first_chunk ? ",first" : "",
                           continued ? ",after" : "", choice.name(), ties ? "ties" : "random"),
               quick, [=](const Context& context) {
            Random random(context.seed);
            const std::uint32_t stride = (shape.columns + 3) / 4 * 4 + 4;
            // Beyond the columns: keys better than any, which must not be read as rows.
            std::vector<std::uint32_t> keys(std::uint64_t{shape.queries} * stride, 0);
            for (std::uint32_t query = 0; query < shape.queries; ++query)
              for (std::uint32_t column = 0; column < shape.columns; ++column)
                keys[std::uint64_t{query} * stride + column] = random_distance_key(random, ties);
            std::vector<std::uint64_t> after(shape.queries);
            for (auto& key : after) key = make_key(ties ? 0x80000002u : 0x20000000u, shape.columns / 2);
            // Rows of earlier chunks have lower indices, and lie behind `after` as well.
            constexpr std::uint32_t first_index = (1u << 12) + 3;
            const auto filter = make_filter(choice, shape.columns, shape.queries, context.seed + 1);
            auto lists = random_lists(random, std::uint64_t{shape.queries} * shape.segments, shape.k, ties, 0);
            if (continued)
              for (auto& key : lists) key |= std::uint64_t{0x80000010u} << 32;
            for (std::size_t list = 0; list < lists.size(); list += shape.k)
              std::sort(lists.begin() + static_cast<std::ptrdiff_t>(list),
                        lists.begin() + static_cast<std::ptrdiff_t>(list + shape.k));
            return check_passes(context, [=](PassScript& script) {
              passes::SelectRowsParameters parameters{};
              parameters.keys = script.input("keys", keys);
              parameters.lists =
                  first_chunk ? script.output("lists", std::uint64_t{8} * lists.size()) : script.output("lists", lists);
              if (continued) parameters.after = script.input("after", after);
              parameters.columns = shape.columns;
              parameters.keys_stride = stride;
              parameters.first_index = first_index;
              parameters.segments = shape.segments;
              const std::uint32_t share = (shape.columns + shape.segments - 1) / shape.segments;
              parameters.segment_columns = (share + 3) / 4 * 4;
              parameters.k = shape.k;
              parameters.after_stride = 1;
              parameters.first_chunk = first_chunk ? 1 : 0;
              if (choice.given) {
                parameters.filter_bits = script.input("filter", words_of(filter, first_index));
                parameters.filter_stride = choice.per_query ? (first_index + shape.columns + 31) / 32 : 0;
              }
              script.add_pass(passes::make_select_rows(parameters, shape.queries));
            });
          }});
        }
}

void add_decode_keys(Cases& cases) {
  constexpr float inf = std::numeric_limits<float>::infinity();
  constexpr float greatest = std::numeric_limits<float>::max();
  for (const bool largest : {false, true})
    for (const std::uint32_t finish : {passes::finish_none, passes::finish_root, passes::finish_complement}) {
      if (finish != passes::finish_none && largest != (finish == passes::finish_complement)) continue;
      for (const std::uint32_t count : {1u, 2u, 127u, 128u, 129u, 1000u, 70001u}) {
        cases.push_back({fmt::format("pass/decode_keys/count={},{}{}", count, largest ? "largest" : "smallest",
                                     finish == passes::finish_root         ? ",root"
                                     : finish == passes::finish_complement ? ",complement"
                                                                           : ""),
                         true, [=](const Context& context) {
          Random random(context.seed);
          const std::vector<float> special = {0.0f,     1.0f,      2.0f, inf,
                                              greatest, 0x1p-126f, 0.1f, std::numeric_limits<float>::quiet_NaN()};
          std::vector<std::uint64_t> keys(count);
          for (std::uint32_t i = 0; i < count; ++i) {
            // Normal numbers: denormals are exempt, and only inner products are negative.
            auto bits = static_cast<std::uint32_t>((1 + random.below(254)) << 23 | (random.bits() & 0x7FFFFFu));
            if (largest && random.one_in(2)) bits |= 0x80000000u;
            const float value = i < special.size()  ? special[i]
                                : random.one_in(50) ? special[random.below(special.size())]
                                                    : std::bit_cast<float>(bits);
            keys[i] = random.one_in(20)
                          ? no_row_key
                          : make_key(distance_key(value, largest), static_cast<std::uint32_t>(random.bits()));
          }
          return check_passes(context, [=](PassScript& script) {
            passes::DecodeKeysParameters parameters{};
            parameters.keys = script.input("keys", keys);
            parameters.indices = script.output("indices", std::uint64_t{4} * count);
            parameters.distances = script.output("distances", std::uint64_t{4} * count);
            parameters.count = count;
            parameters.largest_first = largest ? 1 : 0;
            parameters.finish = finish;
            script.add_pass(passes::make_decode_keys(parameters));
          });
        }});
      }
    }
}

}  // namespace

void add_selection_pass_cases(Cases& cases) {
  add_merge_lists(cases);
  add_select_rows(cases);
  add_decode_keys(cases);
}

}  // namespace proxel::conformance
