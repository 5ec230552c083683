// What is expected of many neighbours is held against what the scan, which keeps all distances for them, and `fused` took.

#include <algorithm>

#include <doctest/doctest.h>

#include "index/expected_times.hpp"
#include "measured_search.hpp"

namespace proxel::index {
namespace {

// Milliseconds by `proxel-bench cliffs` on an H200.
struct MeasuredMany {
  BackendKind backend;
  Metric metric;
  std::uint64_t rows;
  std::uint32_t queries, dimensions;
  std::uint64_t k;
  double scan, fused;
};
constexpr MeasuredMany measured_many[] = {
    {cuda, Metric::ip, 65536, 100, 64, 65, 0.0855, 0.0313},
    {cuda, Metric::ip, 65536, 100, 64, 129, 0.0876, 0.0328},
    {cuda, Metric::ip, 65536, 100, 64, 257, 0.0854, 0.0456},
    {cuda, Metric::ip, 65536, 100, 64, 513, 0.0987, 0.0515},
    {cuda, Metric::ip, 65536, 100, 64, 1025, 0.0991, 0.0697},
    {cuda, Metric::ip, 65536, 100, 64, 2049, 0.107, 0.0896},
    {cuda, Metric::ip, 65536, 100, 64, 16384, 0.207, 0.39},
    {cuda, Metric::ip, 262144, 100, 200, 4096, 0.703, 0.272},
    {cuda, Metric::ip, 262144, 100, 200, 16384, 0.798, 0.702},
    {cuda, Metric::ip, 262144, 100, 200, 16385, 0.798, 0.693},
    {cuda, Metric::ip, 262144, 100, 200, 65536, 1.12, 3.74},
    {cuda, Metric::l1, 65536, 100, 64, 65, 0.0832, 0.0578},
    {cuda, Metric::l1, 65536, 100, 64, 129, 0.0847, 0.0644},
    {cuda, Metric::l1, 65536, 100, 64, 257, 0.0859, 0.0843},
    {cuda, Metric::l1, 65536, 100, 64, 513, 0.0959, 0.105},
    {cuda, Metric::l1, 65536, 100, 64, 1025, 0.0913, 0.135},
    {cuda, Metric::l1, 65536, 100, 64, 2049, 0.103, 0.221},
    {cuda, Metric::l1, 65536, 1000, 64, 65, 0.662, 0.254},
    {cuda, Metric::l1, 65536, 1000, 64, 129, 0.622, 0.315},
    {cuda, Metric::l1, 65536, 1000, 64, 257, 0.624, 0.442},
    {cuda, Metric::l1, 65536, 1000, 64, 513, 0.637, 0.522},
    {cuda, Metric::l1, 65536, 1000, 64, 1025, 0.647, 0.645},
    {cuda, Metric::l1, 65536, 1000, 64, 2049, 0.759, 0.99},
    {cuda, Metric::l1, 262144, 100, 64, 4096, 0.323, 0.466},
    {cuda, Metric::l1, 262144, 100, 64, 16384, 0.422, 1.64},
    {cuda, Metric::l2sq, 65536, 100, 8, 65, 0.0476, 0.0339},
    {cuda, Metric::l2sq, 65536, 100, 8, 129, 0.049, 0.0354},
    {cuda, Metric::l2sq, 65536, 100, 8, 257, 0.0486, 0.0436},
    {cuda, Metric::l2sq, 65536, 100, 8, 513, 0.0581, 0.0479},
    {cuda, Metric::l2sq, 65536, 100, 8, 1025, 0.0554, 0.0639},
    {cuda, Metric::l2sq, 65536, 100, 8, 2049, 0.0661, 0.0798},
    {cuda, Metric::l2sq, 65536, 100, 8, 16384, 0.168, 0.323},
    {cuda, Metric::l2sq, 65536, 100, 64, 4096, 0.129, 0.127},
    {cuda, Metric::l2sq, 65536, 100, 64, 16384, 0.22, 0.395},
    {cuda, Metric::l2sq, 262144, 1000, 3, 257, 1.39, 0.22},
    {cuda, Metric::l2sq, 262144, 1000, 3, 513, 1.41, 0.249},
    {cuda, Metric::l2sq, 262144, 1000, 3, 1025, 1.44, 0.288},
    {cuda, Metric::l2sq, 262144, 1000, 3, 2049, 1.5, 0.364},
    {cuda, Metric::l2sq, 262144, 1000, 3, 9265, 1.9, 0.987},
    {cuda, Metric::l2sq, 262144, 1000, 3, 65536, 5.86, 19},
    {cuda, Metric::l2sq, 1000000, 1, 128, 65, 0.152, 0.0926},
    {cuda, Metric::l2sq, 1000000, 1, 128, 129, 0.182, 0.0976},
    {cuda, Metric::l2sq, 1000000, 1, 128, 257, 0.193, 0.123},
    {cuda, Metric::l2sq, 1000000, 1, 128, 513, 0.209, 0.133},
    {cuda, Metric::l2sq, 1000000, 1, 128, 1025, 0.348, 0.15},
    {cuda, Metric::l2sq, 1000000, 1, 128, 2049, 0.576, 0.18},
    {cuda, Metric::l2sq, 1000000, 1, 128, 4096, 0.956, 0.237},
    {cuda, Metric::l2sq, 1000000, 1, 128, 16385, 0.953, 0.594},
    {cuda, Metric::l2sq, 1000000, 1, 128, 65536, 0.96, 2.79},
    {cuda, Metric::l2sq, 1000000, 100, 128, 16385, 2.31, 0.643},
    {cuda, Metric::l2sq, 1000000, 100, 128, 65536, 2.66, 3.16},
    {cuda, Metric::l2sq, 1000000, 1000, 128, 16384, 23, 4.54},
    {cuda, Metric::l2sq, 1000000, 1000, 128, 16385, 23, 4.56},
    {cuda, Metric::l2sq, 1000000, 1000, 128, 65536, 26.6, 26.4},
    {cuda, Metric::linf, 65536, 1000, 64, 65, 0.695, 0.416},
    {cuda, Metric::linf, 65536, 1000, 64, 129, 0.656, 0.466},
    {cuda, Metric::linf, 65536, 1000, 64, 257, 0.659, 0.67},
    {cuda, Metric::linf, 65536, 1000, 64, 513, 0.67, 0.732},
    {cuda, Metric::linf, 65536, 1000, 64, 1025, 0.679, 0.856},
    {cuda, Metric::linf, 65536, 1000, 64, 2049, 0.792, 1.43},
    {vulkan, Metric::ip, 65536, 100, 64, 65, 0.103, 0.051},
    {vulkan, Metric::ip, 65536, 100, 64, 129, 0.106, 0.0551},
    {vulkan, Metric::ip, 65536, 100, 64, 257, 0.101, 0.0629},
    {vulkan, Metric::ip, 65536, 100, 64, 513, 0.113, 0.0699},
    {vulkan, Metric::ip, 65536, 100, 64, 1025, 0.104, 0.0957},
    {vulkan, Metric::ip, 65536, 100, 64, 2049, 0.115, 0.124},
    {vulkan, Metric::ip, 262144, 100, 200, 4096, 0.808, 0.349},
    {vulkan, Metric::ip, 262144, 100, 200, 16384, 0.929, 0.812},
    {vulkan, Metric::ip, 262144, 100, 200, 16385, 0.927, 0.807},
    {vulkan, Metric::ip, 262144, 100, 200, 65536, 1.35, 4.46},
    {vulkan, Metric::l1, 65536, 100, 64, 65, 0.101, 0.0987},
    {vulkan, Metric::l1, 65536, 100, 64, 129, 0.103, 0.105},
    {vulkan, Metric::l1, 65536, 100, 64, 257, 0.101, 0.129},
    {vulkan, Metric::l1, 65536, 100, 64, 513, 0.109, 0.15},
    {vulkan, Metric::l1, 65536, 100, 64, 1025, 0.0995, 0.187},
    {vulkan, Metric::l1, 65536, 100, 64, 2049, 0.114, 0.253},
    {vulkan, Metric::l1, 65536, 1000, 64, 65, 0.718, 0.488},
    {vulkan, Metric::l1, 65536, 1000, 64, 129, 0.712, 0.567},
    {vulkan, Metric::l1, 65536, 1000, 64, 257, 0.714, 0.8},
    {vulkan, Metric::l1, 65536, 1000, 64, 513, 0.776, 0.908},
    {vulkan, Metric::l1, 65536, 1000, 64, 1025, 0.739, 1.06},
    {vulkan, Metric::l1, 65536, 1000, 64, 2049, 0.896, 1.45},
    {vulkan, Metric::l1, 262144, 100, 64, 4096, 0.387, 0.625},
    {vulkan, Metric::l1, 262144, 100, 64, 16384, 0.51, 2.01},
    {vulkan, Metric::l2sq, 65536, 100, 8, 65, 0.0592, 0.0498},
    {vulkan, Metric::l2sq, 65536, 100, 8, 129, 0.0604, 0.0542},
    {vulkan, Metric::l2sq, 65536, 100, 8, 257, 0.0578, 0.059},
    {vulkan, Metric::l2sq, 65536, 100, 8, 513, 0.0676, 0.0626},
    {vulkan, Metric::l2sq, 65536, 100, 8, 1025, 0.0573, 0.0841},
    {vulkan, Metric::l2sq, 65536, 100, 8, 2049, 0.0717, 0.103},
    {vulkan, Metric::l2sq, 65536, 100, 8, 16384, 0.232, 0.347},
    {vulkan, Metric::l2sq, 65536, 100, 64, 4096, 0.143, 0.168},
    {vulkan, Metric::l2sq, 65536, 100, 64, 16384, 0.286, 0.483},
    {vulkan, Metric::l2sq, 262144, 1000, 3, 257, 1.58, 0.267},
    {vulkan, Metric::l2sq, 262144, 1000, 3, 513, 1.66, 0.303},
    {vulkan, Metric::l2sq, 262144, 1000, 3, 1025, 1.62, 0.342},
    {vulkan, Metric::l2sq, 262144, 1000, 3, 2049, 1.95, 0.405},
    {vulkan, Metric::l2sq, 262144, 1000, 3, 10175, 2.49, 1.32},
    {vulkan, Metric::l2sq, 262144, 1000, 3, 65536, 7.7, 23.9},
    {vulkan, Metric::l2sq, 1000000, 1, 128, 65, 0.165, 0.111},
    {vulkan, Metric::l2sq, 1000000, 1, 128, 129, 0.185, 0.115},
    {vulkan, Metric::l2sq, 1000000, 1, 128, 257, 0.184, 0.135},
    {vulkan, Metric::l2sq, 1000000, 1, 128, 513, 0.24, 0.152},
    {vulkan, Metric::l2sq, 1000000, 1, 128, 1025, 0.379, 0.18},
    {vulkan, Metric::l2sq, 1000000, 1, 128, 2049, 0.626, 0.21},
    {vulkan, Metric::l2sq, 1000000, 1, 128, 4096, 1.2, 0.284},
    {vulkan, Metric::l2sq, 1000000, 1, 128, 16385, 1.19, 0.676},
    {vulkan, Metric::l2sq, 1000000, 1, 128, 65536, 1.21, 3.52},
    {vulkan, Metric::l2sq, 1000000, 100, 128, 16385, 2.87, 0.781},
    {vulkan, Metric::l2sq, 1000000, 100, 128, 65536, 3.32, 3.9},
    {vulkan, Metric::l2sq, 1000000, 1000, 128, 16384, 28.7, 5.48},
    {vulkan, Metric::l2sq, 1000000, 1000, 128, 16385, 28.7, 5.5},
    {vulkan, Metric::l2sq, 1000000, 1000, 128, 65536, 33.3, 32},
    {vulkan, Metric::linf, 65536, 1000, 64, 65, 0.782, 0.481},
    {vulkan, Metric::linf, 65536, 1000, 64, 129, 0.777, 0.506},
    {vulkan, Metric::linf, 65536, 1000, 64, 257, 0.776, 0.727},
    {vulkan, Metric::linf, 65536, 1000, 64, 513, 0.84, 0.804},
    {vulkan, Metric::linf, 65536, 1000, 64, 1025, 0.801, 0.984},
};

double expected_fused(const SearchDescription& description, BackendKind backend) {
  const Metric metric = accumulated(description.metric);
  if (metric != Metric::l1 && metric != Metric::linf) return expected_fused_milliseconds(description, backend, true);
  return expected_magnitudes_milliseconds(description, backend);
}

}  // namespace

TEST_CASE("of many neighbours the scan or fused is taken, whichever is the sooner, or nearly so") {
  for (const MeasuredMany& m : measured_many) {
    SearchDescription description = described(m);
    description.metric = m.metric;
    INFO(text(description, m.backend));
    const double scan = expected_scan_milliseconds(description, m.backend);
    const double chosen = expected_fused(description, m.backend) < scan ? m.fused : m.scan;
    CHECK(chosen <= 1.25 * std::min(m.scan, m.fused) + slack_milliseconds);
    CHECK(scan <= 2 * m.scan + slack_milliseconds);
    CHECK(m.scan <= 2 * scan + slack_milliseconds);
  }
}

}  // namespace proxel::index
