// The passes that select from what a sample of each row has led to (sample_bound.h), each by itself and one after another.

#include <algorithm>

#include <fmt/format.h>

#include "case.hpp"
#include "pass_script.hpp"
#include "proxel/passes/sample_bound.h"
#include "proxel/passes/sample_list.h"
#include "proxel/passes/sample_select.h"
#include "random.hpp"
#include "selection_oracle.hpp"

namespace proxel::conformance {
namespace {

constexpr std::uint32_t rows = 3;

std::vector<float> rows_of_kind(RowKind kind, std::uint32_t columns, std::uint64_t seed) {
  Random random(seed);
  std::vector<float> values(std::uint64_t{rows} * columns);
  for (std::uint32_t row = 0; row < rows; ++row)
    fill_row(kind, columns, random, values.data() + std::uint64_t{row} * columns);
  return values;
}

passes::SelectionResult result_of(PassScript& script, std::uint32_t k) {
  const std::uint64_t slots = std::uint64_t{rows} * k;
  return {0, script.output("indices", 4 * slots), script.output("selected", 4 * slots), k, 1};
}

// Of the many cases, number by number, those of `each`-th kinds, now of the smallest values, now of the largest.
bool is_quick(std::size_t number, RowKind kind, bool largest, std::size_t each) {
  return static_cast<std::size_t>(kind) % each == number % each && largest == (number % 2 == 1);
}

// Around the fours of a row, where it does not begin with one, too; ranks up to what the sample has, and past it.
void add_sample_bound(Cases& cases) {
  struct Shape {
    std::uint32_t columns, skew, step, rank, parts, workgroup, capacity;
  };
  constexpr Shape shapes[] = {
      {1, 0, 1, 1, 1, 64, 256},           {3, 4, 1, 3, 2, 64, 256},           {5, 12, 2, 3, 3, 64, 512},
      {255, 8, 1, 32, 32, 64, 256},       {257, 4, 3, 33, 32, 64, 256},       {4099, 4, 5, 500, 7, 128, 1024},
      {8192, 0, 1, 2048, 1, 256, 4096},   {9001, 12, 1, 1023, 32, 512, 2048}, {9001, 12, 1, 1024, 5, 512, 2048},
      {20001, 0, 2, 1025, 32, 512, 4096}, {70003, 8, 99, 60, 4, 256, 1024}};
  for (const Shape& shape : shapes)
    for (const RowKind kind : all_row_kinds)
      for (const bool largest : {false, true})
        cases.push_back(
            {fmt::format("pass/sample_bound/columns={},step={},rank={},parts={},workgroup={},capacity={},skew={}{}/{}",
                         shape.columns, shape.step, shape.rank, shape.parts, shape.workgroup, shape.capacity,
                         shape.skew, largest ? ",largest" : "", to_string(kind)),
             is_quick(static_cast<std::size_t>(&shape - shapes), kind, largest, 10), [=](const Context& context) {
          const std::vector<float> values = rows_of_kind(kind, shape.columns, context.seed);
          return check_passes(context, [=](PassScript& script) {
            passes::SampleBoundParameters parameters{};
            parameters.rows = {script.input("values", values, shape.skew), rows, shape.columns, shape.columns, 0};
            parameters.bounds = script.output("bounds", std::uint64_t{8} * rows * shape.parts);
            parameters.counters = script.output("counters", std::uint64_t{4} * rows * shape.parts);
            parameters.sample_step = shape.step;
            parameters.sample_rank = shape.rank;
            parameters.parts = shape.parts;
            script.add_pass(passes::make_sample_bound(parameters, largest, shape.workgroup, shape.capacity));
          });
        }});
}

// Bounds at the edges of what keys there are: at a column of equal values, between -0 and +0, behind the last number, before the first.
// What is listed is seen from what is selected of it, and from how much it is.
void add_sample_list(Cases& cases) {
  constexpr std::uint64_t last = 0xFFFFFFFF;
  const std::vector<std::vector<std::uint64_t>> all_bounds = {
      {0},
      {0x007FFFFFull << 32 | 40},
      {0x007FFFFFull << 32 | 3000},
      {0x7FFFFFFFull << 32 | last},
      {0x80000000ull << 32 | 40},
      {0xBF000000ull << 32 | last},
      {0xFF800000ull << 32 | 3},
      {0xFF800000ull << 32 | last},
      {0xFF800001ull << 32},
      {0xFFFFFFFFull << 32 | 200},
      {UINT64_MAX},
      {0, 0, 0x7FFFFFFFull << 32 | last, 0x80000000ull << 32 | 40, 0x80000000ull << 32 | 40, 0xFF800000ull << 32 | 3,
       UINT64_MAX}};
  struct Shape {
    std::uint32_t columns, skew, workgroup, chunks;
  };
  constexpr Shape shapes[] = {{1, 4, 64, 1},     {255, 12, 64, 1},  {1023, 4, 64, 1},
                              {5001, 8, 128, 2}, {9001, 0, 256, 1}, {9001, 4, 64, 9}};
  for (const Shape& shape : shapes)
    for (std::size_t number = 0; number < all_bounds.size(); ++number)
      for (const RowKind kind : all_row_kinds)
        for (const bool largest : {false, true}) {
          const std::vector<std::uint64_t> bounds = all_bounds[number];
          const auto parts = static_cast<std::uint32_t>(bounds.size());
          const bool quick = shape.chunks == 9 && is_quick(number, kind, largest, 10);
          cases.push_back({fmt::format("pass/sample_list/columns={},bounds={},workgroup={},chunks={},skew={}{}/{}",
                                       shape.columns, number, shape.workgroup, shape.chunks, shape.skew,
                                       largest ? ",largest" : "", to_string(kind)),
                           quick, [=](const Context& context) {
            const std::vector<float> values = rows_of_kind(kind, shape.columns, context.seed);
            return check_passes(context, [=](PassScript& script) {
              const std::uint32_t room = shape.columns;
              const passes::SelectionRows matrix{script.input("values", values, shape.skew), rows, shape.columns,
                                                 shape.columns, 0};
              passes::SampleListParameters list{};
              list.rows = matrix;
              std::vector<std::uint64_t> of_rows;
              for (std::uint32_t row = 0; row < rows; ++row)
                of_rows.insert(of_rows.end(), bounds.begin(), bounds.end());
              list.bounds = script.input("bounds", of_rows);
              list.counters = script.output("counters", std::vector<std::uint32_t>(std::size_t{rows} * parts));
              list.lists = script.scratch("lists", 16 * std::uint64_t{rows} * parts * room);
              list.parts = parts;
              list.room = room;
              list.segment_fours = shape.chunks * shape.workgroup * passes::listed_fours;
              script.add_pass(passes::make_sample_list(list, largest, shape.workgroup));
              // Of fewer keys than are listed nothing but the lists is read.
              const passes::SampleSelectParameters select{matrix,
                                                          result_of(script, std::max(shape.columns / 50, 1u)),
                                                          list.counters,
                                                          list.lists,
                                                          parts,
                                                          room,
                                                          1,
                                                          1};
              script.add_pass(passes::make_sample_select(select, largest, 512, 256));
            });
          }});
        }
}

// Samples that tell little or nothing: too few keys are listed, or more than there is room for.
void add_sample_select(Cases& cases) {
  struct Shape {
    std::uint32_t columns, k, run, workgroup, step, rank, parts, room;
  };
  constexpr Shape shapes[] = {{1, 1, 128, 64, 1, 1, 1, 1},
                              {63, 63, 128, 64, 3, 9, 2, 35},
                              {4099, 300, 128, 128, 2, 160, 1, 450},
                              {4099, 300, 512, 128, 2, 200, 3, 200},
                              {9001, 1000, 512, 256, 16, 4, 4, 375},
                              {9001, 1000, 128, 512, 7, 9000, 1, 1200},
                              {9001, 1000, 512, 512, 16, 1, 1, 1500},
                              {9001, 1000, 512, 256, 5, 240, 32, 60},
                              {20001, 5000, 2048, 512, 19, 327, 1, 7516},
                              {20001, 5000, 512, 512, 10, 600, 16, 700}};
  for (const Shape& shape : shapes)
    for (const RowKind kind : all_row_kinds)
      for (const bool largest : {false, true})
        cases.push_back(
            {fmt::format("pass/sample_select/columns={},k={},run={},workgroup={},step={},rank={},parts={}{}/{}",
                         shape.columns, shape.k, shape.run, shape.workgroup, shape.step, shape.rank, shape.parts,
                         largest ? ",largest" : "", to_string(kind)),
             is_quick(static_cast<std::size_t>(&shape - shapes), kind, largest, 5), [=](const Context& context) {
          const std::vector<float> values = rows_of_kind(kind, shape.columns, context.seed);
          return check_passes(context, [=](PassScript& script) {
            const std::uint64_t parts = std::uint64_t{rows} * shape.parts;
            passes::SampleSelectParameters select{};
            select.rows = {script.input("values", values, 4), rows, shape.columns, shape.columns, 0};
            select.result = result_of(script, shape.k);
            select.lists = script.scratch("lists", 16 * parts * shape.room);
            select.parts = shape.parts;
            select.room = shape.room;
            select.sample_step = shape.step;
            select.sample_rank = shape.rank;
            // Of one part by one workgroup, too.
            if (shape.parts != 1 || shape.workgroup != 512) {
              select.counters = script.scratch("counters", 4 * parts);
              const passes::SampleBoundParameters bound{select.rows,
                                                        script.scratch("bounds", 8 * parts),
                                                        select.counters,
                                                        shape.step,
                                                        shape.rank,
                                                        shape.parts,
                                                        0};
              script.add_pass(passes::make_sample_bound(bound, largest, 64, 2048));
              const passes::SampleListParameters list{
                  select.rows, bound.bounds, select.counters,           select.lists,
                  shape.parts, shape.room,   64 * passes::listed_fours, 0};
              script.add_pass(passes::make_sample_list(list, largest, 64));
            }
            script.add_pass(passes::make_sample_select(select, largest, shape.run, shape.workgroup));
          });
        }});
}

}  // namespace

void add_sample_select_cases(Cases& cases) {
  add_sample_bound(cases);
  add_sample_list(cases);
  add_sample_select(cases);
}

}  // namespace proxel::conformance
