#include "strings/string_parts.hpp"

#include <algorithm>

#include "search/check.hpp"
#include "strings/packed_strings.hpp"

namespace proxel::strings {

std::vector<sharding::Part> parts_within(const Strings& strings, std::uint64_t bytes) {
  const std::uint64_t per_word = 4 / symbol_bytes_of(Alphabet(strings).size());
  // Length, number and place of each string, and its share of what 32 have together.
  constexpr std::uint64_t beside_symbols = 4 * 4;
  std::vector<sharding::Part> parts;
  std::uint64_t taken = bytes;
  for (std::uint64_t i = 0; i < strings.size(); ++i) {
    const std::uint64_t needed = search::divide_up<std::uint64_t>(strings[i].size(), per_word) * 4 + beside_symbols;
    if (parts.empty() || needed > bytes - taken) {
      parts.push_back({i, 0});
      taken = 0;
    }
    ++parts.back().count;
    taken = std::min(bytes, taken + needed);
  }
  return parts;
}

}  // namespace proxel::strings
