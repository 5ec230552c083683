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
    {cuda, 1024, 3, 1024, 20, 0.0599, 0.0605, 0.0165},
    {cuda, 4096, 6, 4096, 20, 0.183, 0.105, 0.0655},
    {cuda, 16384, 8, 16384, 20, 1.63, 0.399, 0.556},
    {cuda, 65536, 3, 32, 1, 0.0157, 0.042, 0.0172},
    {cuda, 65536, 3, 100, 1024, 0.601, 0.114, 0.382},
    {cuda, 65536, 6, 100, 100, 0.118, 0.0808, 0.202},
    {cuda, 65536, 8, 32, 100, 0.0746, 0.0735, 0.457},
    {cuda, 65536, 6, 10000, 10, 2.64, 0.443, 0.241},
    {cuda, 1000000, 3, 10000, 1, 11.9, 3.78, 0.0609},
    {cuda, 1000000, 6, 32, 1024, 0.906, 0.212, 1.25},
    {cuda, 1000000, 8, 100, 100, 0.562, 0.187, 0.852},
    {cuda, 1000000, 8, 100, 1024, 1.69, 0.252, 3.02},
    {cuda, 1000000, 8, 10000, 10, 36.1, 4.21, 1.22},
    {cuda, 1000000, 8, 10000, 1024, 152, 9.76, 15.2},

    {vulkan, 4096, 3, 4096, 20, 0.167, 0.118, 0.0391},
    {vulkan, 65536, 3, 100, 1024, 1.01, 0.224, 1.28},
    {vulkan, 65536, 6, 100, 100, 0.281, 0.259, 1.14},
    {vulkan, 65536, 6, 10000, 10, 15.1, 2.77, 1.61},
    {vulkan, 1000000, 3, 1000, 10, 3.85, 0.755, 0.0639},
    {vulkan, 1000000, 8, 100, 100, 0.549, 0.224, 1.49},
    {vulkan, 1000000, 8, 10000, 10, 54.6, 7.34, 2.16},
    {cuda, 262144, 3, 1000, 188, 1.3, 0.297, 0.176},
    {cuda, 262144, 3, 1000, 63, 1, 0.211, 0.0752},
    {vulkan, 262144, 3, 1000, 188, 1.62, 0.463, 0.237},
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
    {cuda, 4096, 3, 4096, 20, 0.178, 0.103, 0.0292},
    {cuda, 1000000, 3, 1000, 10, 2.86, 0.477, 0.041},
    {cuda, 65536, 8, 65536, 20, 24.1, 2.91, 3.05},
    {cuda, 65536, 7, 65536, 20, 24, 2.91, 1.98},
    {cuda, 262144, 8, 16384, 100, 22.7, 2.84, 2.84},
    {cuda, 262144, 6, 1000, 188, 1.38, 0.314, 0.606},
    {cuda, 65536, 5, 1000, 256, 0.617, 0.232, 0.304},
    {cuda, 16384, 6, 1000, 500, 0.553, 0.154, 0.496},
    {vulkan, 1024, 3, 1024, 20, 0.0428, 0.0703, 0.0251},
    {vulkan, 4096, 6, 4096, 20, 0.167, 0.121, 0.111},
    {vulkan, 16384, 8, 16384, 20, 2.15, 0.565, 1.39},
    {vulkan, 65536, 3, 32, 1, 0.036, 0.0781, 0.0376},
    {vulkan, 65536, 8, 32, 100, 0.272, 0.303, 3.16},
    {vulkan, 1000000, 3, 10000, 1, 67.9, 20.8, 0.348},
    {vulkan, 1000000, 6, 32, 1024, 0.81, 0.205, 1.87},
    {vulkan, 1000000, 8, 100, 1024, 1.64, 0.285, 4.84},
    {vulkan, 1000000, 8, 10000, 1024, 271, 14.9, 40.6},
    {vulkan, 262144, 3, 1000, 63, 1.13, 0.333, 0.106},
    {vulkan, 65536, 7, 65536, 20, 51.5, 4.83, 3.37},
    {vulkan, 262144, 8, 16384, 100, 37.7, 4.88, 4.89},
    {vulkan, 262144, 6, 1000, 188, 1.62, 0.477, 0.944},
    {vulkan, 65536, 5, 1000, 256, 0.649, 0.285, 0.446},
    {vulkan, 16384, 6, 1000, 500, 0.488, 0.173, 0.666},
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
