// What is expected of methods is held against what they took, so that `auto` takes none that is
// much slower than the best.

#include <algorithm>

#include <doctest/doctest.h>

#include "index/expected_times.hpp"

namespace proxel::index {
namespace {

struct Measured {
  std::uint64_t rows;
  std::uint32_t dimensions, queries;
  std::uint64_t k;
  double scan, fused, bvh;  // milliseconds of CUDA on an H200, docs/lab/few-dimensions.md
};

constexpr Measured measured[] = {
    {1024, 3, 1024, 20, 0.060, 0.067, 0.031},   {4096, 6, 4096, 20, 0.221, 0.118, 0.089},
    {16384, 8, 16384, 20, 1.83, 0.395, 0.685},  {65536, 3, 32, 1, 0.018, 0.074, 0.029},
    {65536, 3, 100, 1024, 0.708, 0.290, 1.17},  {65536, 6, 100, 100, 0.145, 0.155, 0.419},
    {65536, 8, 32, 100, 0.073, 0.141, 0.532},   {65536, 6, 10000, 10, 2.82, 0.468, 0.408},
    {1000000, 3, 10000, 1, 11.9, 3.90, 0.141},  {1000000, 6, 32, 1024, 1.01, 0.895, 3.25},
    {1000000, 8, 100, 100, 0.701, 0.309, 1.79}, {1000000, 8, 100, 1024, 2.00, 1.08, 5.67},
    {1000000, 8, 10000, 10, 38.0, 4.23, 1.98},  {1000000, 8, 10000, 1024, 146.0, 17.0, 28.7},
};

}  // namespace

TEST_CASE("the method that is expected to be the fastest takes at most 1.6 times what the fastest takes") {
  for (const Measured& m : measured) {
    SearchDescription description;
    description.rows = m.rows;
    description.dimensions = m.dimensions;
    description.queries = m.queries;
    description.k = m.k;
    const double scan = expected_scan_milliseconds(description);
    const double fused = expected_fused_milliseconds(description);
    const double bvh = expected_bvh_milliseconds(description);
    const double chosen = bvh < std::min(fused, scan) ? m.bvh : fused < scan ? m.fused : m.scan;
    CAPTURE(m.rows);
    CAPTURE(m.dimensions);
    CAPTURE(m.queries);
    CAPTURE(m.k);
    CHECK(chosen <= 1.6 * std::min({m.scan, m.fused, m.bvh}));
  }
}

TEST_CASE("boxes are not taken for a hundred queries in eight dimensions, whatever the rows that a device searches") {
  for (const std::uint64_t rows : {65536, 262144, 400000, 1000000, 4000000})
    for (const std::uint64_t k : {10, 100, 1024}) {
      CAPTURE(rows);
      CAPTURE(k);
      SearchDescription description;
      description.rows = rows;
      description.dimensions = 8;
      description.queries = 100;
      description.k = k;
      CHECK(expected_bvh_milliseconds(description) >
            std::min(expected_fused_milliseconds(description), expected_scan_milliseconds(description)));
    }
}

}  // namespace proxel::index
