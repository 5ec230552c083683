#include "compare/difference.hpp"

#include <bit>
#include <stdexcept>

#include <fmt/format.h>

#include "format.hpp"

namespace proxel::tool {
namespace {

std::string row(std::uint32_t index, float distance) {
  return fmt::format("{} at {} (0x{:08x})", index == no_neighbor ? "no row" : fmt::format("row {}", index),
                     as_float(distance), std::bit_cast<std::uint32_t>(distance));
}

}  // namespace

std::string Difference::text() const {
  return fmt::format("query {}, slot {}: {} where {} is expected; {} slots differ", query, slot, row(index, distance),
                     row(expected_index, expected_distance), with_separators(slots));
}

std::optional<Difference> first_difference(const Neighbors& expected, const Neighbors& found) {
  if (expected.indices.rows() != found.indices.rows() || expected.indices.columns() != found.indices.columns())
    throw std::logic_error("answers of different shapes were compared");
  std::optional<Difference> first;
  std::uint64_t slots = 0;
  for (std::uint64_t query = 0; query < expected.indices.rows(); ++query)
    for (std::uint64_t slot = 0; slot < expected.indices.columns(); ++slot) {
      const std::uint32_t expected_index = expected.indices(query, slot);
      const std::uint32_t index = found.indices(query, slot);
      const float expected_distance = expected.distances(query, slot);
      const float distance = found.distances(query, slot);
      if (index == expected_index &&
          std::bit_cast<std::uint32_t>(distance) == std::bit_cast<std::uint32_t>(expected_distance))
        continue;
      ++slots;
      if (!first) first = Difference{query, slot, expected_index, index, expected_distance, distance, 0};
    }
  if (first) first->slots = slots;
  return first;
}

}  // namespace proxel::tool
