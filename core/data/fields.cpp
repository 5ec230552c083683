#include "data/fields.hpp"

#include <algorithm>

namespace proxel::data {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t'; }

std::string_view trim(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

}  // namespace

Separator guess_separator(std::string_view line) {
  for (const Separator candidate : {Separator::semicolon, Separator::tab, Separator::comma})
    if (trim(line).find(static_cast<char>(candidate)) != std::string_view::npos) return candidate;
  return Separator::blanks;
}

FieldSplitter::FieldSplitter(std::string_view line, Separator separator)
    : rest_(separator == Separator::tab ? line : trim(line)), separator_(separator) {}

std::optional<Field> FieldSplitter::next() {
  if (rest_.empty()) return std::nullopt;
  const auto separates = [this](char c) {
    return separator_ == Separator::blanks ? is_blank(c) : c == static_cast<char>(separator_);
  };

  // A quoted field may hold separators; a doubled mark inside stands for one.
  std::size_t begin = 0;
  while (begin < rest_.size() && is_blank(rest_[begin]) && !separates(rest_[begin])) ++begin;
  std::size_t search = begin;
  bool unclosed = false;
  if (begin < rest_.size() && rest_[begin] == '"') {
    std::size_t close = rest_.find('"', begin + 1);
    while (close != std::string_view::npos && close + 1 < rest_.size() && rest_[close + 1] == '"')
      close = rest_.find('"', close + 2);
    unclosed = close == std::string_view::npos;
    search = unclosed ? rest_.size() : close + 1;
  }
  const auto found = std::find_if(rest_.begin() + search, rest_.end(), separates);
  const std::size_t end = static_cast<std::size_t>(found - rest_.begin());

  std::string_view text = trim(rest_.substr(0, end));
  if (!unclosed && text.size() >= 2 && text.front() == '"' && text.back() == '"')
    text = trim(text.substr(1, text.size() - 2));

  rest_.remove_prefix(end);
  if (!rest_.empty()) rest_.remove_prefix(1);
  if (separator_ == Separator::blanks) rest_ = trim(rest_);
  return Field{text, unclosed};
}

}  // namespace proxel::data
