#include "range_check.hpp"

#include <bit>
#include <limits>

#include <fmt/format.h>

namespace proxel::conformance {

const char* to_string(Radius radius) {
  constexpr const char* names[] = {"tie", "nothing", "zero", "infinite"};
  return names[static_cast<int>(radius)];
}

float edge_radius(Radius radius, Metric metric) {
  constexpr float inf = std::numeric_limits<float>::infinity();
  const bool largest = metric == Metric::ip;
  switch (radius) {
    case Radius::nothing:
      return largest ? inf : -1.0f;
    case Radius::infinite:
      return largest ? -inf : inf;
    default:
      return 0.0f;
  }
}

std::string difference(const RangeAnswer& expected, const RangeAnswer& actual, std::uint64_t capacity) {
  for (std::size_t query = 0; query + 1 < expected.offsets.size(); ++query) {
    if (actual.offsets[query + 1] != expected.offsets[query + 1])
      return fmt::format("query {}: ends at {}, not {}", query, actual.offsets[query + 1], expected.offsets[query + 1]);
    if (expected.offsets[query + 1] > capacity) continue;
    for (std::uint64_t i = expected.offsets[query]; i < expected.offsets[query + 1]; ++i)
      if (actual.indices[i] != expected.indices[i] ||
          std::bit_cast<std::uint32_t>(actual.distances[i]) != std::bit_cast<std::uint32_t>(expected.distances[i]))
        return fmt::format("query {}, neighbour {}: {} at {}, not {} at {}", query, i - expected.offsets[query],
                           actual.indices[i], actual.distances[i], expected.indices[i], expected.distances[i]);
  }
  return actual.offsets.front() == 0 ? std::string() : "the first offset is not 0";
}

}  // namespace proxel::conformance
