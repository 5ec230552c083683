#include "data/rounding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <type_traits>

#include "data/load.hpp"

namespace proxel::data {
namespace {

template <typename Stored>
bool is_exact(Stored value, float read) {
  if constexpr (std::is_floating_point_v<Stored>) {
    return std::isnan(value) || static_cast<Stored>(read) == value;
  } else {
    // A float's fraction has so many bits, at any power of two.
    constexpr int digits = std::numeric_limits<float>::digits;
    using Unsigned = std::make_unsigned_t<Stored>;
    const Unsigned bits = static_cast<Unsigned>(value);
    const Unsigned magnitude = value < 0 ? static_cast<Unsigned>(Unsigned{0} - bits) : bits;
    return std::bit_width(magnitude) - std::countr_zero(magnitude) <= digits || magnitude == 0;
  }
}

// The power of ten of the last digit that is written.
int last_power(std::string_view text) {
  const std::size_t mark = std::min(text.find_first_of("eE"), text.size());
  const std::string_view digits = text.substr(0, mark);
  const std::size_t point = digits.find('.');
  int power = point == std::string_view::npos ? 0 : -static_cast<int>(digits.size() - point - 1);
  if (mark < text.size()) {
    std::string_view written = text.substr(mark + 1);
    if (written.starts_with('+')) written.remove_prefix(1);
    int exponent = 0;
    std::from_chars(written.data(), written.data() + written.size(), exponent);
    power += exponent;
  }
  return power;
}

}  // namespace

template <typename Stored>
void RoundingCounts::look_as(bool big_endian, const std::byte* stored, std::uint64_t count, const float* out,
                             std::uint64_t stride) {
  const std::uint64_t columns = matrix_->columns();
  const auto first = static_cast<std::uint64_t>(out - matrix_->data());
  for (std::uint64_t i = 0; i < count; ++i) {
    const Stored value = load<Stored>(stored + i * sizeof(Stored), big_endian);
    const float read = out[i * stride];
    if (is_exact(value, read)) continue;
    if (counts_.empty()) counts_.resize(by_column_ ? static_cast<std::size_t>(columns) : 1);
    const std::uint64_t place = first + i * stride;
    Rounding& rounding = counts_[by_column_ ? static_cast<std::size_t>(place % columns) : 0];
    if (rounding.values++ == 0)
      rounding = {1, first_row_ + place / columns, place % columns, fmt::format("{}", value), read};
  }
}

void RoundingCounts::look(ElementType type, bool big_endian, const std::byte* stored, std::uint64_t count,
                          const float* out, std::uint64_t stride) {
  switch (type) {
    case ElementType::float64:
      return look_as<double>(big_endian, stored, count, out, stride);
    case ElementType::int32:
      return look_as<std::int32_t>(big_endian, stored, count, out, stride);
    case ElementType::uint32:
      return look_as<std::uint32_t>(big_endian, stored, count, out, stride);
    case ElementType::int64:
      return look_as<std::int64_t>(big_endian, stored, count, out, stride);
    case ElementType::uint64:
      return look_as<std::uint64_t>(big_endian, stored, count, out, stride);
    default:
      return;  // binary32 holds every value of the other types
  }
}

Rounding RoundingCounts::of(const std::vector<std::uint64_t>& columns) const {
  Rounding all;
  if (counts_.empty()) return all;
  if (!by_column_) return counts_.front();
  for (const std::uint64_t column : columns) {
    const Rounding& one = counts_[static_cast<std::size_t>(column)];
    if (one.values == 0) continue;
    const std::uint64_t values = all.values + one.values;
    if (all.values == 0 || one.row < all.row) all = one;
    all.values = values;
  }
  return all;
}

bool is_rounded(std::string_view text, float value) {
  // Six digits are always given back, unless an exponent makes the number too small.
  constexpr std::size_t safe = 6;
  if (text.size() <= safe && text.find_first_of("eE") == std::string_view::npos) return false;
  if (!std::isfinite(value)) return false;
  if (text.starts_with('+')) text.remove_prefix(1);
  double written = 0;
  const auto error = std::from_chars(text.data(), text.data() + text.size(), written).ec;
  // Nearer to zero than any double: rounded, unless it is written as zero.
  if (error == std::errc::result_out_of_range)
    return text.substr(0, text.find_first_of("eE")).find_first_of("123456789") != text.npos;
  const double difference = std::abs(written - static_cast<double>(value));
  return difference != 0 && difference > 0.5 * std::pow(10.0, last_power(text));
}

}  // namespace proxel::data
