// The curve that rows are ordered along: every cell once, each next to the one before.
#include <cstdlib>
#include <vector>

#include <doctest/doctest.h>

#include "proxel/arithmetic/hilbert.h"

namespace proxel::arithmetic {
namespace {

unsigned coordinate(unsigned morton, unsigned dimensions, unsigned digits, unsigned axis) {
  unsigned value = 0;
  for (unsigned bit = 0; bit < digits; ++bit) value |= (morton >> (bit * dimensions + axis) & 1u) << bit;
  return value;
}

unsigned steps_between(unsigned a, unsigned b, unsigned dimensions, unsigned digits) {
  unsigned steps = 0;
  for (unsigned axis = 0; axis < dimensions; ++axis)
    steps += static_cast<unsigned>(std::abs(static_cast<int>(coordinate(a, dimensions, digits, axis)) -
                                            static_cast<int>(coordinate(b, dimensions, digits, axis))));
  return steps;
}

}  // namespace

TEST_CASE("a Hilbert curve visits every cell once, and goes from each to a neighbour") {
  for (unsigned dimensions = 1; dimensions <= 8; ++dimensions)
    for (unsigned digits = 1; digits * dimensions <= 16; ++digits) {
      CAPTURE(dimensions);
      CAPTURE(digits);
      const unsigned cells = 1u << (digits * dimensions);
      std::vector<unsigned> visited(cells, cells);
      for (unsigned morton = 0; morton < cells; ++morton) {
        const unsigned place = hilbert_place(morton, dimensions, digits);
        REQUIRE(place < cells);
        REQUIRE(visited[place] == cells);
        visited[place] = morton;
      }
      for (unsigned place = 1; place < cells; ++place)
        REQUIRE(steps_between(visited[place - 1], visited[place], dimensions, digits) == 1);
    }
}

TEST_CASE("on a line the curve is the line, and the widest codes have places") {
  for (unsigned code = 0; code < 1000; ++code) CHECK(hilbert_place(code, 1, 30) == code);
  CHECK(hilbert_place(0, 3, 10) == 0);
  CHECK(hilbert_place((1u << 30) - 1, 3, 10) < 1u << 30);
  CHECK(hilbert_place(0xFFFFFFFFu, 8, 4) != hilbert_place(0xFFFFFFFEu, 8, 4));
}

}  // namespace proxel::arithmetic
