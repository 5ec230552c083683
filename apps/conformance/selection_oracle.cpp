#include "selection_oracle.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

namespace proxel::conformance {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

float any_nan(Random& random) {
  const auto rest = static_cast<std::uint32_t>(random.bits());
  return std::bit_cast<float>(0x7FC00000u | (rest & 0x803FFFFFu));
}

float value(RowKind kind, std::uint64_t column, std::uint64_t columns, Random& random) {
  switch (kind) {
    case RowKind::random:
      return random.symmetric();
    case RowKind::ties:
      return static_cast<float>(random.below(5)) - 2.0f;
    case RowKind::equal:
      return 0.75f;
    case RowKind::zeros:
      return random.one_in(50) ? 1.0f - 2.0f * static_cast<float>(random.below(2)) : (random.one_in(2) ? 0.0f : -0.0f);
    case RowKind::specials:
      if (random.one_in(9)) return any_nan(random);
      if (random.one_in(9)) return random.one_in(2) ? infinity : -infinity;
      return random.symmetric();
    case RowKind::nan:
      return random.one_in(40) ? random.symmetric() : any_nan(random);
    case RowKind::ascending:
      return static_cast<float>(column);
    case RowKind::descending:
      return -static_cast<float>(column);
    case RowKind::blocks:
      return random.symmetric() - (column >= columns / 2 && column < columns / 2 + 700 ? 4.0f : 0.0f);
    case RowKind::periodic:
      return random.symmetric() - (column % 1024 == 5 ? 4.0f : 0.0f);
  }
  return 0;
}

}  // namespace

const char* to_string(RowKind kind) {
  switch (kind) {
    case RowKind::random:
      return "random";
    case RowKind::ties:
      return "ties";
    case RowKind::equal:
      return "equal";
    case RowKind::zeros:
      return "zeros";
    case RowKind::specials:
      return "specials";
    case RowKind::nan:
      return "nan";
    case RowKind::ascending:
      return "ascending";
    case RowKind::descending:
      return "descending";
    case RowKind::blocks:
      return "blocks";
    case RowKind::periodic:
      return "periodic";
  }
  return "unknown";
}

void fill_row(RowKind kind, std::uint64_t columns, Random& random, float* values) {
  for (std::uint64_t column = 0; column < columns; ++column) values[column] = value(kind, column, columns, random);
}

Selected select_by_oracle(const float* values, std::uint64_t columns, std::uint64_t k, bool largest_first,
                          const std::uint32_t* payload) {
  std::vector<std::uint32_t> order(columns);
  std::iota(order.begin(), order.end(), 0u);
  const auto before = [&](std::uint32_t a, std::uint32_t b) {
    const bool a_nan = std::isnan(values[a]);
    const bool b_nan = std::isnan(values[b]);
    if (a_nan != b_nan) return b_nan;
    if (!a_nan && values[a] != values[b]) return largest_first ? values[a] > values[b] : values[a] < values[b];
    return a < b;
  };
  const auto found = static_cast<std::ptrdiff_t>(std::min(k, columns));
  if (found < static_cast<std::ptrdiff_t>(columns))
    std::nth_element(order.begin(), order.begin() + found, order.end(), before);
  std::sort(order.begin(), order.begin() + found, before);
  Selected selected{std::vector<std::uint32_t>(k, 0xFFFFFFFFu),
                    std::vector<float>(k, largest_first ? -infinity : infinity)};
  for (std::size_t i = 0; i < static_cast<std::size_t>(found); ++i) {
    const float chosen = values[order[i]];
    selected.indices[i] = payload ? payload[order[i]] : order[i];
    selected.values[i] = std::isnan(chosen) ? std::bit_cast<float>(0x7FC00000u) : chosen == 0 ? 0.0f : chosen;
  }
  return selected;
}

}  // namespace proxel::conformance
