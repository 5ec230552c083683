// Cases of quick_sort_local and merge_sorted, the stages of GPU-Qsort.
#include <algorithm>

#include <fmt/format.h>

#include "case.hpp"
#include "layout.hpp"
#include "pass_script.hpp"
#include "proxel/passes/merge_sorted.h"
#include "proxel/passes/quick_sort_local.h"
#include "selection_oracle.hpp"

namespace proxel::conformance {
namespace {

struct Rows {
  std::uint32_t rows, columns, k, gap;
};

struct PassCase {
  Rows shape;
  RowKind kind = RowKind::random;
  bool largest_first = false;
  bool payload = false;
  bool to_result = false;
  std::uint32_t workgroup = 256;
  std::uint32_t length = 0;  // of a part, or of a run
  bool bad_pivots = false;   // values rise, then fall: the median of three is next to the least

  std::string fields() const {
    return fmt::format("rows={},columns={},k={},stride={},workgroup={}{}{}{}/{}", shape.rows, shape.columns, shape.k,
                       shape.columns + shape.gap, workgroup, largest_first ? ",largest" : "", payload ? ",payload" : "",
                       to_result ? ",result" : "", bad_pivots ? "bad pivots" : to_string(kind));
  }
};

// Values of all rows, row_stride apart; between the rows what would stand first.
std::vector<float> values_of(const PassCase& one, Random& random) {
  const std::uint64_t stride = one.shape.columns + one.shape.gap;
  std::vector<float> values(one.shape.rows * stride, one.largest_first ? 1e30f : -1e30f);
  for (std::uint32_t row = 0; row < one.shape.rows; ++row) {
    float* of_row = values.data() + row * stride;
    fill_row(one.kind, one.shape.columns, random, of_row);
    for (std::uint32_t i = 0; one.bad_pivots && i < one.shape.columns; ++i)
      of_row[i] = static_cast<float>(std::min(2 * i, 2 * (one.shape.columns - i) - 1));
  }
  return values;
}

// The row's columns in the order that the oracle gives those from `first` on, as keys.
std::vector<std::uint64_t> sorted_run(const float* values, std::uint32_t first, std::uint32_t count,
                                      bool largest_first) {
  const Selected order = select_by_oracle(values + first, count, count, largest_first, nullptr);
  std::vector<std::uint64_t> keys(count);
  for (std::uint32_t i = 0; i < count; ++i)
    keys[i] = make_key(distance_key(order.values[i], largest_first), first + order.indices[i]);
  return keys;
}

// What both passes take of the matrix and its result.
template <typename Parameters>
void set_matrix(PassScript& script, const PassCase& one, std::uint64_t values,
                const std::vector<std::uint32_t>& payload, Parameters& parameters) {
  const Rows& shape = one.shape;
  parameters.rows = {values, shape.rows, shape.columns, shape.columns + shape.gap, 0};
  parameters.result.k = shape.k;
  parameters.result.sorted = 1;
  if (!one.to_result) {
    parameters.target = script.output("target", std::uint64_t{8} * shape.rows * shape.columns);
    return;
  }
  if (one.payload) parameters.result.payload = script.input("payload", payload);
  const std::uint64_t slots = std::uint64_t{shape.rows} * shape.k;
  parameters.result.indices = script.output("indices", slots * 4);
  parameters.result.selected = script.output("selected", slots * 4);
}

std::vector<std::uint32_t> payload_of(const PassCase& one, Random& random) {
  std::vector<std::uint32_t> payload(std::uint64_t{one.shape.rows} * (one.shape.columns + one.shape.gap));
  for (std::uint32_t& word : payload) word = static_cast<std::uint32_t>(random.bits());
  return payload;
}

std::unique_ptr<Check> prepare_local(const PassCase& one, const Context& context) {
  Random random(context.seed);
  const auto values = values_of(one, random);
  const auto payload = payload_of(one, random);
  return check_passes(context, [=](PassScript& script) {
    passes::QuickSortLocalParameters parameters{};
    set_matrix(script, one, script.input("values", values, 4), payload, parameters);
    script.add_pass(passes::make_quick_sort_local(parameters, one.largest_first, one.workgroup, one.length));
  });
}

std::unique_ptr<Check> prepare_merge(const PassCase& one, const Context& context) {
  Random random(context.seed);
  const auto values = values_of(one, random);
  const auto payload = payload_of(one, random);
  std::vector<std::uint64_t> runs;
  for (std::uint32_t row = 0; row < one.shape.rows; ++row)
    for (std::uint32_t first = 0; first < one.shape.columns; first += one.length) {
      const auto run = sorted_run(values.data() + std::uint64_t{row} * (one.shape.columns + one.shape.gap), first,
                                  std::min(one.length, one.shape.columns - first), one.largest_first);
      runs.insert(runs.end(), run.begin(), run.end());
    }
  return check_passes(context, [=](PassScript& script) {
    passes::MergeSortedParameters parameters{};
    set_matrix(script, one, 0, payload, parameters);
    parameters.source = script.input("source", runs);
    parameters.run = one.length;
    script.add_pass(passes::make_merge_sorted(parameters, one.largest_first, one.workgroup));
  });
}

void add_local_case(Cases& cases, const PassCase& one, bool quick) {
  cases.push_back({fmt::format("pass/quick_sort_local/part={},{}", one.length, one.fields()), quick,
                   [one](const Context& context) { return prepare_local(one, context); }});
}

void add_local(Cases& cases) {
  // Around what is sorted sequentially, what a subgroup takes, and parts; several parts.
  constexpr Rows shapes[] = {{1, 1, 1, 0},       {3, 2, 2, 1},       {2, 7, 9, 0},       {4, 8, 8, 3},
                             {2, 9, 9, 0},       {5, 63, 10, 1},     {2, 64, 64, 0},     {3, 65, 70, 2},
                             {2, 127, 127, 0},   {1, 129, 129, 0},   {2, 255, 255, 0},   {1, 256, 256, 5},
                             {2, 257, 200, 0},   {1, 1023, 1023, 0}, {2, 1024, 1100, 0}, {2, 1025, 1025, 1},
                             {1, 2047, 2047, 0}, {1, 2048, 2048, 0}, {2, 2049, 2049, 0}, {1, 4095, 4095, 0},
                             {1, 4096, 4096, 0}, {2, 4097, 500, 3},  {1, 9000, 9000, 0}};
  std::size_t step = 0;
  for (const std::uint32_t part : {1024u, 2048u, 4096u})
    for (const Rows& shape : shapes)
      for (const RowKind kind : all_row_kinds) {
        PassCase one{shape, kind};
        one.length = part;
        one.largest_first = step % 3 == 1;
        one.to_result = shape.columns <= part;
        one.payload = one.to_result && step % 4 == 2;
        one.workgroup = part == 1024 && step % 7 == 6 ? 128 : 256;
        // Most with the shortest part, for which all devices have room.
        const bool quick = step % (part == 1024 ? 17 : 67) == 0;
        ++step;
        add_local_case(cases, one, quick);
      }
  for (const std::uint32_t part : {1024u, 2048u, 4096u}) {
    PassCase one{{2, part, part, 0}};
    one.length = part;
    one.bad_pivots = true;
    add_local_case(cases, one, part == 1024);
  }
}

void add_merge(Cases& cases) {
  struct Shape {
    Rows rows;
    std::uint32_t run;
  };
  // A run alone, pairs of all lengths around a tile's 896 and 1,792 keys, many pairs,
  // fewer keys wanted than there are.
  constexpr Shape shapes[] = {{{1, 1, 1, 0}, 1},          {{2, 2, 2, 1}, 1},           {{3, 5, 5, 0}, 1},
                              {{2, 100, 100, 0}, 64},     {{1, 895, 895, 0}, 500},     {{1, 896, 900, 0}, 512},
                              {{2, 897, 897, 3}, 512},    {{1, 1791, 1791, 0}, 1024},  {{1, 1792, 1792, 0}, 1024},
                              {{1, 1793, 1793, 0}, 1024}, {{2, 2048, 2048, 0}, 1024},  {{1, 2049, 2049, 0}, 1024},
                              {{3, 3000, 10, 1}, 1024},   {{2, 3000, 1500, 0}, 1024},  {{1, 9001, 9001, 0}, 1024},
                              {{1, 9001, 9100, 0}, 8192}, {{2, 30000, 3000, 0}, 4096}, {{1, 70001, 70001, 0}, 65536},
                              {{300, 40, 30, 2}, 32}};
  std::size_t step = 0;
  for (const Shape& shape : shapes)
    for (const RowKind kind : all_row_kinds) {
      PassCase one{shape.rows, kind};
      one.length = shape.run;
      one.largest_first = step % 3 == 1;
      one.to_result = 2 * shape.run >= shape.rows.columns && step % 5 != 0;
      one.payload = one.to_result && step % 4 == 2;
      one.workgroup = step % 7 == 6 ? 128 : 256;
      const bool quick = step % 13 == 0 && shape.rows.columns < 20000;
      ++step;
      cases.push_back({fmt::format("pass/merge_sorted/run={},{}", shape.run, one.fields()), quick,
                       [one](const Context& context) { return prepare_merge(one, context); }});
    }
}

}  // namespace

void add_quick_sort_cases(Cases& cases) {
  add_local(cases);
  add_merge(cases);
}

}  // namespace proxel::conformance
