// The passes of the selections that Komarov 2013 is measured against: buckets of Alabi 2012, and levels of the truncated
// bitonic sort of Sismanis 2012.

#include <algorithm>

#include <fmt/format.h>

#include "case.hpp"
#include "pass_script.hpp"
#include "proxel/passes/bucket_select.h"
#include "proxel/passes/truncated_sort.h"
#include "random.hpp"
#include "selection_oracle.hpp"

namespace proxel::conformance {
namespace {

constexpr std::uint32_t workgroup = 256;

std::vector<float> make_values(RowKind kind, std::uint32_t rows, std::uint32_t columns, std::uint64_t seed) {
  Random random(seed);
  std::vector<float> values(std::uint64_t{rows} * columns);
  for (std::uint32_t row = 0; row < rows; ++row)
    fill_row(kind, columns, random, values.data() + std::uint64_t{row} * columns);
  return values;
}

void add_buckets(Cases& cases) {
  struct Shape {
    std::uint32_t rows, columns, k;
  };
  constexpr Shape shapes[] = {{1, 1, 1},    {3, 2, 2},       {2, 255, 100},   {5, 1025, 1},
                              {1, 4096, 7}, {2, 9001, 9001}, {1, 70001, 500}, {300, 40, 9}};
  std::size_t step = 0;
  for (const Shape& shape : shapes)
    for (const RowKind kind : all_row_kinds) {
      const bool largest = step % 2 == 1;
      const bool quick = step++ % 3 == 0;
      cases.push_back({fmt::format("pass/bucket_select/rows={},columns={},k={}{}/{}", shape.rows, shape.columns,
                                   shape.k, largest ? ",largest" : "", to_string(kind)),
                       quick, [=](const Context& context) {
        const std::vector<float> values = make_values(kind, shape.rows, shape.columns, context.seed);
        return check_passes(context, [=](PassScript& script) {
          const auto numbers = [&](std::uint64_t of_row, std::uint32_t initial) {
            return std::vector<std::uint32_t>(shape.rows * of_row, initial);
          };
          passes::BucketSelectParameters select{};
          select.rows = {script.input("values", values, 4), shape.rows, shape.columns, shape.columns, 0};
          select.ranges = script.output("ranges", numbers(2, ~0u));
          select.buckets = script.output("buckets", numbers(passes::bucket_rounds * passes::bucket_count, 0));
          select.histograms = script.output("histograms", numbers(1024, 0));
          select.k = shape.k;
          for (; select.round <= passes::bucket_rounds + 1; ++select.round)
            script.add_pass(passes::make_bucket_select(select, largest, workgroup));
        });
      }});
    }
}

// Two levels: the lists of tiles of a row, and those lists'.
void add_truncated(Cases& cases) {
  struct Shape {
    std::uint32_t rows, columns, list, k;
  };
  constexpr Shape shapes[] = {{1, 1, 1, 1},      {2, 5, 8, 7},           {3, 2047, 16, 16},   {2, 2048, 512, 300},
                              {1, 2049, 1, 3},   {5, 6000, 2, 2},        {1, 20'001, 64, 33}, {2, 9000, 512, 512},
                              {70, 300, 32, 31}, {1, 40'000, 1024, 1024}};
  std::size_t step = 0;
  for (const Shape& shape : shapes)
    for (const RowKind kind : all_row_kinds) {
      const bool largest = step % 2 == 1;
      const bool quick = step++ % 3 == 0;
      cases.push_back({fmt::format("pass/truncated_sort/rows={},columns={},list={},k={}{}/{}", shape.rows,
                                   shape.columns, shape.list, shape.k, largest ? ",largest" : "", to_string(kind)),
                       quick, [=](const Context& context) {
        const std::vector<float> values = make_values(kind, shape.rows, shape.columns, context.seed);
        return check_passes(context, [=](PassScript& script) {
          const std::uint64_t slots = std::uint64_t{shape.rows} * shape.k;
          passes::TruncatedSortParameters level{};
          level.rows = {script.input("values", values, 4), shape.rows, shape.columns, shape.columns, 0};
          level.result.indices = script.output("indices", slots * 4);
          level.result.selected = script.output("selected", slots * 4);
          level.result.k = shape.k;
          level.count = shape.columns;
          level.list = shape.list;
          for (;;) {
            const std::uint32_t tiles = (level.count - 1) / passes::truncated_tile + 1;
            level.target = tiles == 1 ? 0 : script.output("lists", std::uint64_t{8} * shape.rows * tiles * shape.list);
            script.add_pass(passes::make_truncated_sort(level, largest, workgroup));
            if (tiles == 1) return;
            level.source = level.target;
            level.count = tiles * shape.list;
          }
        });
      }});
    }
}

}  // namespace

void add_rival_selection_cases(Cases& cases) {
  add_buckets(cases);
  add_truncated(cases);
}

}  // namespace proxel::conformance
