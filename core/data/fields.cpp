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

char guess_separator(std::string_view line, char decimal) {
  for (const char candidate : {';', '\t', ','})
    if (candidate != decimal && trim(line).find(candidate) != std::string_view::npos) return candidate;
  return blanks;
}

std::string Field::unescaped() const {
  std::string result(text);
  if (!quoted) return result;
  for (std::size_t at = result.find("\"\""); at != std::string::npos; at = result.find("\"\"", at + 1))
    result.erase(at, 1);
  return result;
}

FieldSplitter::FieldSplitter(std::string_view line, char separator)
    : rest_(separator == '\t' ? line : trim(line)), separator_(separator), ended_(rest_.empty()) {}

std::optional<Field> FieldSplitter::next() {
  if (ended_) return std::nullopt;
  const auto separates = [this](char c) { return separator_ == blanks ? is_blank(c) : c == separator_; };

  // A quoted field may hold separators; a doubled mark inside stands for one.
  std::size_t begin = 0;
  while (begin < rest_.size() && is_blank(rest_[begin]) && !separates(rest_[begin])) ++begin;
  std::size_t search = begin;
  Field field;
  if (begin < rest_.size() && rest_[begin] == '"') {
    std::size_t close = rest_.find('"', begin + 1);
    while (close != std::string_view::npos && close + 1 < rest_.size() && rest_[close + 1] == '"')
      close = rest_.find('"', close + 2);
    field.unclosed = close == std::string_view::npos;
    search = field.unclosed ? rest_.size() : close + 1;
  }
  const auto found = std::find_if(rest_.begin() + static_cast<std::ptrdiff_t>(search), rest_.end(), separates);
  const std::size_t end = static_cast<std::size_t>(found - rest_.begin());

  field.text = trim(rest_.substr(0, end));
  if (!field.unclosed && field.text.size() >= 2 && field.text.front() == '"' && field.text.back() == '"') {
    field.quoted = true;
    field.text = trim(field.text.substr(1, field.text.size() - 2));
  }

  ended_ = end == rest_.size();
  rest_.remove_prefix(ended_ ? end : end + 1);
  if (separator_ == blanks) rest_ = trim(rest_);
  return field;
}

std::vector<Field> split_fields(std::string_view line, char separator) {
  std::vector<Field> fields;
  FieldSplitter splitter(line, separator);
  while (const auto field = splitter.next()) fields.push_back(*field);
  return fields;
}

}  // namespace proxel::data
