// What is expected of methods is held against what they took, so that `auto` takes none that is
// much slower than the best.

#include <algorithm>

#include <doctest/doctest.h>

#include "index/expected_times.hpp"

namespace proxel::index {
namespace {

struct Measured {
  BackendKind backend;
  std::uint64_t rows;
  std::uint32_t dimensions, queries;
  std::uint64_t k;
  double scan, fused,
      bvh;  // milliseconds, on an H200 unless said, docs/lab/few-dimensions.md and cliffs.md; 0: is not for that
};

constexpr BackendKind cuda = BackendKind::cuda, vulkan = BackendKind::vulkan;
// What a cliff may be beside a factor.
constexpr double slack_milliseconds = 0.02;

constexpr Measured measured[] = {
    {cuda, 1024, 3, 1024, 20, 0.060, 0.067, 0.031},
    {cuda, 4096, 6, 4096, 20, 0.221, 0.118, 0.089},
    {cuda, 16384, 8, 16384, 20, 1.83, 0.395, 0.685},
    {cuda, 65536, 3, 32, 1, 0.018, 0.074, 0.029},
    {cuda, 65536, 3, 100, 1024, 0.708, 0.290, 1.17},
    {cuda, 65536, 6, 100, 100, 0.145, 0.155, 0.419},
    {cuda, 65536, 8, 32, 100, 0.073, 0.141, 0.532},
    {cuda, 65536, 6, 10000, 10, 2.82, 0.468, 0.408},
    {cuda, 1000000, 3, 10000, 1, 11.9, 3.90, 0.141},
    {cuda, 1000000, 6, 32, 1024, 1.01, 0.895, 3.25},
    {cuda, 1000000, 8, 100, 100, 0.701, 0.309, 1.79},
    {cuda, 1000000, 8, 100, 1024, 2.00, 1.08, 5.67},
    {cuda, 1000000, 8, 10000, 10, 38.0, 4.23, 1.98},
    {cuda, 1000000, 8, 10000, 1024, 146.0, 17.0, 28.7},

    {vulkan, 4096, 3, 4096, 20, 0.327, 0.127, 0.060},
    {vulkan, 65536, 3, 100, 1024, 3.00, 0.475, 5.72},
    {vulkan, 65536, 6, 100, 100, 0.114, 0.297, 0.723},
    {vulkan, 65536, 6, 10000, 10, 4.77, 0.880, 0.764},
    {vulkan, 1000000, 3, 1000, 10, 4.01, 1.43, 0.146},
    {vulkan, 1000000, 8, 100, 100, 0.559, 0.450, 3.14},
    {vulkan, 1000000, 8, 10000, 10, 55.0, 8.51, 3.37},
    {cuda, 262144, 3, 1000, 188, 1.298, 0.305, 0.579},
    {cuda, 262144, 3, 1000, 63, 1.018, 0.213, 0.192},
    {vulkan, 262144, 3, 1000, 188, 1.81, 0.486, 0.732},
    {cuda, 4000, 64, 100, 1000, 0.167, 0.080, 0},
    {cuda, 4096, 128, 100, 10, 0.046, 0.068, 0},
    {cuda, 65536, 64, 64, 10, 0.084, 0.099, 0},
    {vulkan, 65536, 64, 64, 10, 0.083, 0.167, 0},
    {vulkan, 65536, 64, 100, 32, 0.132, 0.211, 0},
    {vulkan, 65536, 128, 16, 10, 0.121, 0.214, 0},
    {vulkan, 65536, 9, 100, 100, 0.119, 0.262, 0},
    {cuda, 65536, 128, 65, 10, 0.182, 0.130, 0},
    {cuda, 65536, 64, 257, 10, 0.253, 0.106, 0},
    {vulkan, 65536, 64, 1000, 10, 1.05, 0.231, 0},
    {cuda, 65536, 64, 100, 513, 0.543, 0.146, 0},
    // On an H100, `proxel-bench cliffs --only …`.
    {vulkan, 100000, 128, 8, 10, 0.0657, 0.222, 0},
    {vulkan, 100000, 128, 12, 10, 0.172, 0.225, 0},
    {vulkan, 100000, 128, 32, 10, 0.177, 0.232, 0},
    {vulkan, 300000, 128, 5, 10, 0.195, 0.304, 0},
    {vulkan, 300000, 128, 8, 10, 0.41, 0.299, 0},
    {vulkan, 300000, 128, 17, 10, 0.419, 0.304, 0},
    {vulkan, 1000000, 128, 5, 10, 0.79, 0.44, 0},
    {vulkan, 1000000, 128, 10, 10, 1.24, 0.437, 0},
    {vulkan, 1000000, 128, 16, 10, 1.25, 0.436, 0},
    {vulkan, 3000000, 128, 5, 10, 2.92, 1.05, 0},
    {vulkan, 3000000, 128, 12, 10, 3.59, 0.8, 0},
    {vulkan, 1000000, 32, 5, 10, 0.23, 0.264, 0},
    {vulkan, 1000000, 32, 8, 10, 0.38, 0.268, 0},
    {vulkan, 1000000, 32, 10, 10, 0.386, 0.269, 0},
    {vulkan, 1000000, 32, 16, 10, 0.394, 0.271, 0},
    {vulkan, 1000000, 64, 5, 10, 0.417, 0.309, 0},
    {vulkan, 1000000, 64, 8, 10, 0.668, 0.31, 0},
    {vulkan, 1000000, 64, 10, 10, 0.674, 0.31, 0},
    {vulkan, 1000000, 64, 16, 10, 0.681, 0.324, 0},
    {vulkan, 1000000, 256, 5, 10, 1.55, 0.627, 0},
    {vulkan, 1000000, 256, 8, 10, 2.34, 0.624, 0},
    {vulkan, 1000000, 256, 10, 10, 2.34, 0.622, 0},
    {vulkan, 1000000, 256, 16, 10, 2.35, 0.625, 0},
    {vulkan, 1000000, 512, 16, 10, 4.58, 0.991, 0},
    {vulkan, 1000000, 128, 5, 1, 0.838, 0.346, 0},
    {vulkan, 1000000, 128, 8, 1, 1.21, 0.349, 0},
    {vulkan, 1000000, 128, 16, 1, 1.22, 0.355, 0},
    {vulkan, 1000000, 128, 5, 32, 0.8, 0.531, 0},
    {vulkan, 1000000, 128, 8, 32, 1.24, 0.528, 0},
    {vulkan, 1000000, 128, 16, 32, 1.26, 0.521, 0},
    {vulkan, 1000000, 128, 5, 100, 0.817, 0.605, 0},
    {vulkan, 1000000, 128, 8, 100, 1.26, 0.601, 0},
    {vulkan, 1000000, 128, 16, 100, 1.28, 0.595, 0},
    {cuda, 100000, 128, 8, 10, 0.0957, 0.109, 0},
    {cuda, 100000, 128, 12, 10, 0.134, 0.124, 0},
    {cuda, 100000, 128, 32, 10, 0.143, 0.132, 0},
    {cuda, 300000, 128, 5, 10, 0.247, 0.164, 0},
    {cuda, 300000, 128, 8, 10, 0.324, 0.163, 0},
    {cuda, 300000, 128, 17, 10, 0.347, 0.169, 0},
    {cuda, 1000000, 128, 5, 10, 0.879, 0.266, 0},
    {cuda, 1000000, 128, 10, 10, 1, 0.265, 0},
    {cuda, 1000000, 128, 16, 10, 1, 0.266, 0},
    {cuda, 3000000, 128, 5, 10, 2.57, 0.562, 0},
    {cuda, 3000000, 128, 12, 10, 2.88, 0.584, 0},
    {cuda, 1000000, 32, 5, 10, 0.245, 0.226, 0},
    {cuda, 1000000, 32, 8, 10, 0.303, 0.229, 0},
    {cuda, 1000000, 32, 10, 10, 0.325, 0.235, 0},
    {cuda, 1000000, 32, 16, 10, 0.325, 0.235, 0},
    {cuda, 1000000, 64, 5, 10, 0.451, 0.234, 0},
    {cuda, 1000000, 64, 8, 10, 0.53, 0.233, 0},
    {cuda, 1000000, 64, 10, 10, 0.552, 0.236, 0},
    {cuda, 1000000, 64, 16, 10, 0.55, 0.245, 0},
    {cuda, 1000000, 256, 5, 10, 1.73, 0.371, 0},
    {cuda, 1000000, 256, 8, 10, 1.89, 0.372, 0},
    {cuda, 1000000, 256, 10, 10, 1.91, 0.374, 0},
    {cuda, 1000000, 256, 16, 10, 1.91, 0.374, 0},
    {cuda, 1000000, 512, 16, 10, 3.72, 0.6, 0},
};

}  // namespace

TEST_CASE("the method that is expected to be the fastest takes at most 1.6 times what the fastest takes") {
  for (const Measured& m : measured) {
    SearchDescription description;
    description.rows = m.rows;
    description.dimensions = m.dimensions;
    description.queries = m.queries;
    description.k = m.k;
    const double scan = expected_scan_milliseconds(description, m.backend);
    const double fused = expected_fused_milliseconds(description, m.backend, true);
    const bool boxes = m.bvh != 0 && expected_bvh_milliseconds(description, m.backend) < std::min(fused, scan);
    const double chosen = boxes ? m.bvh : fused < scan ? m.fused : m.scan;
    const double best = std::min({m.scan, m.fused, m.bvh != 0 ? m.bvh : m.scan});
    CAPTURE(to_string(m.backend));
    CAPTURE(m.rows);
    CAPTURE(m.dimensions);
    CAPTURE(m.queries);
    CAPTURE(m.k);
    CHECK(chosen <= 1.6 * best + slack_milliseconds);
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
      for (const BackendKind backend : {cuda, vulkan})
        CHECK(expected_bvh_milliseconds(description, backend) >
              std::min(expected_fused_milliseconds(description, backend, true),
                       expected_scan_milliseconds(description, backend)));
    }
}

}  // namespace proxel::index
