#include "data/number_text.hpp"

#include <algorithm>
#include <charconv>
#include <system_error>

namespace proxel::data {
namespace {

// from_chars does not take a plus sign; "+-1" must not pass either.
bool strip_plus(std::string_view& text) {
  if (!text.starts_with('+')) return true;
  text.remove_prefix(1);
  return !text.empty() && text.front() != '-';
}

// Whether a well-formed number that no float holds is beyond the largest float
// rather than too close to zero? Decided by the power of ten of its first
// digit that is not zero.
bool is_too_large(std::string_view text) {
  const std::size_t exponent_mark = std::min(text.find_first_of("eE"), text.size());
  const std::string_view digits = text.substr(0, exponent_mark);
  const std::size_t first = digits.find_first_of("123456789");
  const std::size_t point = std::min(digits.find('.'), digits.size());
  const std::int64_t power = static_cast<std::int64_t>(point) - static_cast<std::int64_t>(first);

  std::int64_t exponent = 0;
  if (exponent_mark < text.size()) {
    std::string_view written = text.substr(exponent_mark + 1);
    if (written.starts_with('+')) written.remove_prefix(1);
    const auto [end, error] = std::from_chars(written.data(), written.data() + written.size(), exponent);
    if (error == std::errc::result_out_of_range) return !written.starts_with('-');
  }
  return exponent > -power;
}

}  // namespace

NumberProblem parse_number(std::string_view text, float& value) {
  if (!strip_plus(text)) return NumberProblem::not_a_number;
  const char* const text_end = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), text_end, value);
  if (end != text_end || error == std::errc::invalid_argument) return NumberProblem::not_a_number;
  if (error == std::errc::result_out_of_range) {
    if (is_too_large(text)) return NumberProblem::out_of_range;
    value = text.starts_with('-') ? -0.0f : 0.0f;
  }
  return NumberProblem::none;
}

std::string with_point(std::string_view text, char decimal) {
  std::string result(text);
  if (decimal == '.') return result;
  if (text.find('.') != std::string_view::npos) return {};
  std::ranges::replace(result, decimal, '.');
  return result;
}

NumberProblem parse_number(std::string_view text, float& value, char decimal) {
  return decimal == '.' ? parse_number(text, value) : parse_number(with_point(text, decimal), value);
}

NumberProblem parse_number(std::string_view text, std::int32_t& value) {
  if (!strip_plus(text)) return NumberProblem::not_a_number;
  std::int64_t wide = 0;
  const char* const text_end = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), text_end, wide);
  if (end != text_end || error == std::errc::invalid_argument) return NumberProblem::not_a_number;
  if (error == std::errc::result_out_of_range || wide < INT32_MIN || wide > UINT32_MAX)
    return NumberProblem::out_of_range;
  value = static_cast<std::int32_t>(static_cast<std::uint32_t>(wide));
  return NumberProblem::none;
}

std::string printable(std::string_view text) {
  constexpr std::size_t most = 40;
  std::string result(text.substr(0, most));
  std::ranges::replace_if(result, [](unsigned char c) { return c < 0x20 || c >= 0x7f; }, '?');
  if (text.size() > most) result += "...";
  return result;
}

}  // namespace proxel::data
