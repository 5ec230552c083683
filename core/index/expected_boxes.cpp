#include "index/expected_times.hpp"

// What walks through boxes take a GPU.

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "index/expected_sizes.hpp"

namespace proxel::index {
namespace {

// From these many on a walk through boxes leaves a multiprocessor room for fewer queries; through Vulkan the latter are more.
constexpr std::uint64_t neighbors_of_long_lists = 129, neighbors_of_longer_lists = 300,
                        neighbors_of_longer_lists_through_vulkan = 541;

}  // namespace

// A query walks from box to box, one step after another, so that few queries take as long as
// those that fill the device; more neighbours mean more boxes, and fewer queries at a time.
double expected_bvh_milliseconds(const SearchDescription& description, BackendKind backend) {
  const Sizes s(description);
  const double walk = (0.003 + 0.0053 * s.d) * std::pow(std::max(s.n, 1024.0) / 1024, 0.048 * s.d) *
                      (0.5 + 0.5 * std::pow(s.k / 20, 0.875 - 0.043 * s.d));
  // What is near by l1 reaches into more boxes.
  const double wider = accumulated(description.metric) == Metric::l1 ? std::exp(0.22 * std::max(0.0, s.d - 5)) : 1;
  const double at_a_time = 4600 / (1 + s.k / 580);
  const bool through_vulkan = backend == BackendKind::vulkan;
  const std::uint64_t many = through_vulkan ? neighbors_of_longer_lists_through_vulkan : neighbors_of_longer_lists;
  const double longer = description.k < neighbors_of_long_lists ? 0 : description.k < many ? 0.12 : 0.52;
  const double fuller = 1 + longer * std::min(1.0, s.q / 1000);
  return walk * wider * std::max(1.0, s.q / at_a_time) * fuller * (through_vulkan ? 1.6 : 1);
}

}  // namespace proxel::index
