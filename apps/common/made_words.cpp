#include "made_words.hpp"

#include <random>
#include <string_view>

namespace proxel::tool {

std::vector<std::string> made_words(std::uint64_t count, std::uint64_t seed) {
  constexpr std::string_view letters = "eeeeeettttaaaaooooiiiinnnnssshhhrrrdddllcumwfgypbvkjxqz";
  std::mt19937_64 random(seed);
  std::vector<std::string> words(count);
  for (std::string& word : words)
    for (std::uint64_t left = 3 + random() % 12; left != 0; --left) word.push_back(letters[random() % letters.size()]);
  return words;
}

}  // namespace proxel::tool
