#include "data/columns.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <numeric>

#include "data/fields.hpp"
#include "data/number_text.hpp"
#include "proxel/error.hpp"

namespace proxel::data {
namespace {

// Columns first … last, from 1.
struct Range {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
};

std::optional<std::uint64_t> number_of(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// "3", "2-4" or "3-"; with no end it is `count`.
std::optional<Range> range_of(std::string_view text, std::uint64_t count) {
  const std::size_t dash = text.find('-');
  const auto first = number_of(text.substr(0, dash));
  if (!first) return std::nullopt;
  if (dash == std::string_view::npos) return Range{*first, *first};
  if (dash + 1 == text.size()) return Range{*first, count};
  const auto last = number_of(text.substr(dash + 1));
  if (!last) return std::nullopt;
  return Range{*first, *last};
}

}  // namespace

bool is_name(std::string_view reference) { return reference != "last" && !range_of(reference, 0).has_value(); }

std::vector<std::string> references(const std::string& list) {
  std::vector<std::string> result;
  for (const Field& field : split_fields(list, ',')) result.push_back(field.unescaped());
  return result;
}

std::optional<std::uint64_t> Columns::find_name(std::string_view name) const {
  const auto found = std::ranges::find(names_, name);
  if (found == names_.end() || name.empty()) return std::nullopt;
  if (std::find(found + 1, names_.end(), name) != names_.end())
    throw Error(ErrorCode::unsupported, file_,
                fmt::format("several columns are named \"{}\"; their numbers tell them apart", printable(name)));
  return static_cast<std::uint64_t>(found - names_.begin());
}

void Columns::fail(std::string_view reference) const {
  constexpr std::size_t most = 20;
  std::vector<std::string> shown;
  for (const std::string& name : names_) {
    if (shown.size() == most) break;
    shown.push_back(printable(name));
  }
  throw Error(
      ErrorCode::not_found, file_,
      fmt::format("no column \"{}\"; its columns are 1 to {}{}", printable(reference), count_,
                  names_.empty() ? std::string(", without names")
                                 : fmt::format(": {}{}", fmt::join(shown, ", "), names_.size() > most ? ", ..." : "")));
}

std::uint64_t Columns::find(std::string_view reference) const {
  if (const auto column = find_name(reference)) return *column;
  if (reference == "last" && count_ != 0) return count_ - 1;
  const auto number = number_of(reference);
  if (!number || *number == 0 || *number > count_) fail(reference);
  return *number - 1;
}

std::vector<std::uint64_t> Columns::choose(const std::string& list) const {
  std::vector<std::uint64_t> chosen;
  std::vector<bool> taken(static_cast<std::size_t>(count_));
  const auto take = [&](std::uint64_t column, const std::string& reference) {
    if (taken[static_cast<std::size_t>(column)])
      throw Error(
          ErrorCode::unsupported, file_,
          fmt::format("column {} is chosen twice, the second time by \"{}\"", column + 1, printable(reference)));
    taken[static_cast<std::size_t>(column)] = true;
    chosen.push_back(column);
  };
  for (const std::string& reference : references(list)) {
    if (const auto column = find_name(reference)) {
      take(*column, reference);
      continue;
    }
    if (reference == "last" && count_ != 0) {
      take(count_ - 1, reference);
      continue;
    }
    const auto range = range_of(reference, count_);
    if (!range || range->first == 0 || range->last > count_ || range->first > range->last) fail(reference);
    for (std::uint64_t column = range->first; column <= range->last; ++column) take(column - 1, reference);
  }
  return chosen;
}

}  // namespace proxel::data
