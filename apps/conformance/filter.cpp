#include "filter.hpp"

#include <cstddef>

namespace proxel::conformance {
namespace {

// Goes back to the latest star only: earlier ones have matched as little as
// they can already.
bool matches(std::string_view pattern, std::string_view name) {
  std::size_t p = 0;
  std::size_t n = 0;
  std::size_t star = std::string_view::npos;
  std::size_t after_star = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      after_star = n;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == name[n])) {
      ++p;
      ++n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++after_star;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace

bool selected(std::string_view filter, std::string_view name) {
  if (filter.starts_with('!')) return !selected(filter.substr(1), name);
  if (const auto bar = filter.find('|'); bar != std::string_view::npos)
    return selected(filter.substr(0, bar), name) || selected(filter.substr(bar + 1), name);
  if (filter.find_first_of("*?") != std::string_view::npos) return matches(filter, name);
  return name.find(filter) != std::string_view::npos;
}

}  // namespace proxel::conformance
