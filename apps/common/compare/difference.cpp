#include "compare/difference.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

#include <fmt/format.h>

#include "format.hpp"

namespace proxel::tool {
namespace {

struct Slot {
  std::uint32_t index = no_neighbor;
  float distance = 0;

  bool operator==(const Slot& other) const {
    return index == other.index &&
           std::bit_cast<std::uint32_t>(distance) == std::bit_cast<std::uint32_t>(other.distance);
  }
};

// What stands in a slot; nothing past the list's end.
std::optional<Slot> slot_of(const AnswerView& answer, std::uint64_t query, std::uint64_t slot) {
  if (slot >= answer.indices(query).size()) return std::nullopt;
  return Slot{answer.indices(query)[slot], answer.distances(query)[slot]};
}

std::string slot_text(bool there, std::uint32_t index, float distance) {
  if (!there) return "nothing";
  return fmt::format("{} at {} (0x{:08x})", index == no_neighbor ? "no row" : fmt::format("row {}", index),
                     as_float(distance), std::bit_cast<std::uint32_t>(distance));
}

}  // namespace

std::string Difference::text() const {
  const std::string counts =
      count == expected_count
          ? ""
          : fmt::format("; {} found where {} are expected", with_separators(count), with_separators(expected_count));
  return fmt::format("query {}, slot {}: {} where {} is expected{}; {} slots differ", query, slot,
                     slot_text(slot < count, index, distance),
                     slot_text(slot < expected_count, expected_index, expected_distance), counts,
                     with_separators(slots));
}

std::optional<Difference> first_difference(const AnswerView& expected, const AnswerView& found) {
  if (expected.queries() != found.queries())
    throw std::logic_error("answers to different numbers of queries were compared");
  std::optional<Difference> first;
  std::uint64_t slots = 0;
  for (std::uint64_t query = 0; query < expected.queries(); ++query) {
    const std::uint64_t expected_count = expected.indices(query).size(), count = found.indices(query).size();
    for (std::uint64_t slot = 0; slot < std::max(expected_count, count); ++slot) {
      const auto right = slot_of(expected, query, slot), other = slot_of(found, query, slot);
      if (right == other) continue;
      ++slots;
      if (first) continue;
      const Slot a = right.value_or(Slot{}), b = other.value_or(Slot{});
      first = Difference{query, slot, a.index, b.index, a.distance, b.distance, expected_count, count, 0};
    }
  }
  if (first) first->slots = slots;
  return first;
}

}  // namespace proxel::tool
