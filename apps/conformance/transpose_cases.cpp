// transpose: squares that end with the matrix, lines apart, and more squares than a grid has workgroups.

#include <vector>

#include <fmt/format.h>

#include "case.hpp"
#include "pass_script.hpp"
#include "proxel/passes/transpose.h"
#include "random.hpp"

namespace proxel::conformance {
namespace {

struct Shape {
  std::uint32_t rows, columns;
  std::uint32_t from_gap = 0, to_gap = 0;  // words between lines
};

}  // namespace

void add_transpose_cases(Cases& cases) {
  std::vector<Shape> shapes = {{1, 1},           {1, 500},     {500, 1},    {100, 70, 3, 9},
                               {257, 300, 4, 0}, {3, 140'000}, {140'000, 3}};
  // Every extent around a square and two.
  for (const std::uint32_t extent : {31u, 32u, 33u, 63u, 64u, 65u})
    for (const std::uint32_t other : {31u, 32u, 33u}) shapes.push_back({extent, other, extent % 3, other % 5});
  for (const Shape& shape : shapes)
    cases.push_back(
        {fmt::format("pass/transpose/{}x{},gaps={},{}", shape.rows, shape.columns, shape.from_gap, shape.to_gap),
         shape.rows < 1000 && shape.columns < 1000, [=](const Context& context) {
      return check_passes(context, [=](PassScript& script) {
        Random random(context.seed);
        passes::TransposeParameters p{};
        p.rows = shape.rows;
        p.columns = shape.columns;
        p.from_pitch = shape.columns + shape.from_gap;
        p.to_pitch = shape.rows + shape.to_gap;
        // Any bits at all.
        std::vector<std::uint32_t> words(std::uint64_t{p.rows} * p.from_pitch);
        for (std::uint32_t& word : words) word = static_cast<std::uint32_t>(random.bits());
        p.from = script.input("from", words);
        p.to = script.output("to", std::uint64_t{4} * p.columns * p.to_pitch);
        script.add_pass(passes::make_transpose(p));
      });
    }});
}

}  // namespace proxel::conformance
