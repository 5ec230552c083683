#include "strings/string_parts.hpp"

#include <algorithm>

#include "search/check.hpp"

namespace proxel::strings {

std::vector<sharding::Part> parts_within(const Strings& strings, const Alphabet& alphabet, std::uint64_t bytes) {
  const std::uint64_t per_word = 4 / symbol_bytes_of(alphabet.size());
  // Length, number and place of each string, and its share of what 32 have together.
  constexpr std::uint64_t beside_symbols = 4 * 4;
  // Strings lie in the order of their lengths, 32 together, each as long as the longest of these: what that adds sums up to
  // the longest of all 31 times, and as often again where the last are fewer.
  constexpr std::uint64_t padding = 2 * 31;
  std::vector<sharding::Part> parts;
  std::uint64_t taken = 0, longest = 0;
  for (std::uint64_t i = 0; i < strings.size(); ++i) {
    const std::uint64_t symbols = search::divide_up<std::uint64_t>(strings[i].size(), per_word) * 4;
    const std::uint64_t with_it = taken + symbols + beside_symbols + padding * std::max(longest, symbols);
    if (parts.empty() || with_it > bytes) {
      parts.push_back({i, 0});
      taken = longest = 0;
    }
    ++parts.back().count;
    taken += symbols + beside_symbols;
    longest = std::max(longest, symbols);
  }
  return parts;
}

}  // namespace proxel::strings
