#include "features/text_cursor.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "proxel/error.hpp"

namespace proxel::features {
namespace {

constexpr std::string_view blanks = " \t\r\v\f";

// As it may stand in an error, whatever the file holds.
std::string_view shown(std::string_view field) { return field.substr(0, 40); }

}  // namespace

bool TextCursor::next_line() {
  if (left_.empty()) return false;
  const std::size_t end = std::min(left_.find('\n'), left_.size());
  line_ = left_.substr(0, end);
  left_.remove_prefix(std::min(end + 1, left_.size()));
  ++number_;
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (number_ == 1 && line_.starts_with(byte_order_mark)) line_.remove_prefix(byte_order_mark.size());
  return true;
}

bool TextCursor::next_filled_line() {
  while (next_line()) {
    const std::size_t first = line_.find_first_not_of(blanks);
    if (first != std::string_view::npos && line_[first] != '#') return true;
  }
  return false;
}

std::string_view TextCursor::field() {
  line_.remove_prefix(std::min(line_.find_first_not_of(blanks), line_.size()));
  const std::string_view found = line_.substr(0, std::min(line_.find_first_of(blanks), line_.size()));
  line_.remove_prefix(found.size());
  return found;
}

std::optional<std::string_view> TextCursor::before(std::string_view word) {
  const std::size_t at = line_.find(word);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view found = line_.substr(0, at);
  line_.remove_prefix(at + word.size());
  return found;
}

bool TextCursor::at_line_end() const {
  const std::size_t first = line_.find_first_not_of(blanks);
  return first == std::string_view::npos || line_[first] == '#';
}

std::string_view TextCursor::rest() {
  line_.remove_prefix(std::min(line_.find_first_not_of(blanks), line_.size()));
  const std::string_view found = line_.substr(0, line_.find_last_not_of(blanks) + 1);
  line_ = {};
  return found;
}

double TextCursor::number(std::string_view what) {
  const std::string_view text = field();
  if (text.empty()) fail(fmt::format("{} is missing", what));
  const std::string_view digits = text.front() == '+' ? text.substr(1) : text;
  double value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  // What is too small for a number is 0.
  if (error == std::errc::result_out_of_range && end == digits.data() + digits.size() &&
      digits.find("e-") != std::string_view::npos)
    return 0;
  if (error != std::errc() || end != digits.data() + digits.size())
    fail(fmt::format("{} is '{}', not a number", what, shown(text)));
  if (!std::isfinite(value) || std::abs(value) > largest_coordinate)
    fail(fmt::format("{} is {}; at most {:g} is allowed", what, shown(text), largest_coordinate));
  return value;
}

Point TextCursor::point(std::string_view what) {
  Point point{};
  for (double& coordinate : point) coordinate = number(what);
  return point;
}

std::uint64_t TextCursor::count(std::string_view what, std::uint64_t most) {
  const std::string_view text = field();
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty()) fail(fmt::format("{} is missing", what));
  if (error == std::errc::invalid_argument || end != text.data() + text.size())
    fail(fmt::format("{} is '{}', not a whole number", what, shown(text)));
  if (error != std::errc() || value > most)
    fail(fmt::format("{} is {}; at most {} is allowed", what, shown(text), most));
  return value;
}

void TextCursor::fail(const std::string& reason) const {
  throw Error(ErrorCode::malformed_file, name_,
              number_ == 0 ? "the file is empty" : fmt::format("line {}: {}", number_, reason));
}

void add(Triangles& triangles, const Triangle& triangle, const std::string& name) {
  if (triangles.size() == most_triangles)
    throw Error(ErrorCode::unsupported, name, fmt::format("has more than {} triangles", most_triangles));
  triangles.push_back(triangle);
}

}  // namespace proxel::features
