// Bit-parallel columns of 64 symbols of the query (Myers 1999; Hyyro 2003), a string at a time.

#include <algorithm>
#include <bit>
#include <limits>
#include <vector>

#include "cpu/fast_passes.hpp"
#include "passes/grids.hpp"
#include "passes/string_blocks.hpp"

namespace proxel::cpu {
namespace {

using Parameters = passes::LevenshteinParameters;

constexpr std::uint64_t strings_at_a_time = 4096;

// A query's table, its words joined in pairs.
class Pattern {
 public:
  Pattern(const Parameters& parameters, std::uint32_t query) : alphabet_(parameters.alphabet) {
    const auto* offsets = passes::at<const std::uint32_t>(parameters.offsets);
    length_ = offsets[query + 1] - offsets[query];
    words_ = (length_ + 63) / 64;
    const auto* table = passes::at<const std::uint32_t>(parameters.tables) +
                        std::uint64_t{query} * parameters.words * alphabet_;
    places_.resize(std::size_t{words_} * alphabet_);
    for (std::uint32_t word = 0; word < words_; ++word)
      for (std::uint32_t symbol = 0; symbol < alphabet_; ++symbol) {
        const std::uint32_t half = 2 * word;
        std::uint64_t places = table[std::size_t{half} * alphabet_ + symbol];
        if (half + 1 < parameters.words)
          places |= std::uint64_t{table[std::size_t{half + 1} * alphabet_ + symbol]} << 32;
        places_[std::size_t{word} * alphabet_ + symbol] = places;
      }
    positive_.resize(words_);
    negative_.resize(words_);
  }

  // Each symbol that one has more than the other is an edit.
  bool rules_out(std::uint32_t string_length, std::uint32_t bound) const {
    return std::max(length_, string_length) - std::min(length_, string_length) > bound;
  }

  template <typename Symbol>
  std::uint32_t distance(std::uint32_t string_length, const Symbol& symbol) {
    if (length_ == 0) return string_length;
    return words_ == 1 ? one_word(string_length, symbol) : several_words(string_length, symbol);
  }

 private:
  template <typename Symbol>
  std::uint32_t one_word(std::uint32_t string_length, const Symbol& symbol) const {
    std::uint64_t positive = ~std::uint64_t{0};  // vertical differences of +1 and -1
    std::uint64_t negative = 0;
    for (std::uint32_t i = 0; i < string_length; ++i) {
      const std::uint64_t equal = places_[symbol(i)];
      const std::uint64_t diagonal = (((equal & positive) + positive) ^ positive) | equal | negative;
      std::uint64_t up = negative | ~(diagonal | positive);
      std::uint64_t down = positive & diagonal;
      up = up << 1 | 1;
      down <<= 1;
      positive = down | ~(diagonal | up);
      negative = up & diagonal;
    }
    return string_length + rise(positive, negative, 0);
  }

  template <typename Symbol>
  std::uint32_t several_words(std::uint32_t string_length, const Symbol& symbol) {
    std::fill(positive_.begin(), positive_.end(), ~std::uint64_t{0});
    std::fill(negative_.begin(), negative_.end(), 0);
    for (std::uint32_t i = 0; i < string_length; ++i) {
      const std::uint64_t* places = places_.data() + symbol(i);
      std::uint64_t up_in = 1;
      std::uint64_t down_in = 0;
      for (std::uint32_t w = 0; w < words_; ++w, places += alphabet_) {
        const std::uint64_t vertical = *places | negative_[w];
        const std::uint64_t equal = *places | down_in;
        const std::uint64_t horizontal = (((equal & positive_[w]) + positive_[w]) ^ positive_[w]) | equal;
        std::uint64_t up = negative_[w] | ~(horizontal | positive_[w]);
        std::uint64_t down = positive_[w] & horizontal;
        const std::uint64_t up_out = up >> 63;
        const std::uint64_t down_out = down >> 63;
        up = up << 1 | up_in;
        down = down << 1 | down_in;
        positive_[w] = down | ~(vertical | up);
        negative_[w] = up & vertical;
        up_in = up_out;
        down_in = down_out;
      }
    }
    std::uint32_t score = string_length;
    for (std::uint32_t w = 0; w < words_; ++w) score += rise(positive_[w], negative_[w], w);
    return score;
  }

  // What the last column rises by over the query's symbols of a word. The top of a
  // column is the number of the string's symbols before it.
  std::uint32_t rise(std::uint64_t positive, std::uint64_t negative, std::uint32_t word) const {
    const std::uint32_t symbols = length_ - 64 * word;
    const std::uint64_t mask = symbols < 64 ? (std::uint64_t{1} << symbols) - 1 : ~std::uint64_t{0};
    return static_cast<std::uint32_t>(std::popcount(positive & mask) - std::popcount(negative & mask));
  }

  std::uint32_t alphabet_;
  std::uint32_t length_ = 0;
  std::uint32_t words_ = 0;
  std::vector<std::uint64_t> places_;  // [words x alphabet]
  std::vector<std::uint64_t> positive_, negative_;
};

std::uint64_t items_of(const Parameters& p) {
  return p.candidates == 0 ? p.string_count : p.candidate_count;
}

template <std::uint32_t symbol_bytes>
void answer(const Parameters& p, Pattern& pattern, std::uint32_t query, std::uint64_t first) {
  const auto* lengths = passes::at<const std::uint32_t>(p.lengths);
  const auto* numbers = passes::at<const std::uint32_t>(p.numbers);
  auto* distances =
      passes::at<float>(p.distances) + std::uint64_t{query} * p.distance_stride;
  const auto* candidates = passes::at<const std::uint32_t>(p.candidates);
  const std::uint64_t count = items_of(p);
  const std::uint64_t end = std::min(first + strings_at_a_time, count);
  for (std::uint64_t item = first; item < end; ++item) {
    const std::uint64_t place =
        candidates ? passes::at<const std::uint32_t>(p.places)[candidates[query * count + item]] : item;
    float& distance = distances[numbers[place]];
    distance = std::numeric_limits<float>::quiet_NaN();
    if (pattern.rules_out(lengths[place], p.bound)) continue;
    const std::uint32_t exact = pattern.distance(
        lengths[place], [&](std::uint32_t i) { return passes::symbol_at(p, symbol_bytes, place, i); });
    if (exact <= p.bound) distance = static_cast<float>(exact);
  }
}

}  // namespace

void levenshtein(const Pass& pass, Machine& machine) {
  const auto p = pass.as<Parameters>();
  const std::uint32_t symbol_bytes = pass.constants[1];
  const std::uint64_t parts = passes::divide_up(items_of(p), strings_at_a_time);
  machine.workers.for_each(parts * pass.grid.y, [&](std::uint64_t item) {
    const auto query = static_cast<std::uint32_t>(item / parts);
    const std::uint64_t first = item % parts * strings_at_a_time;
    Pattern pattern(p, query);
    if (symbol_bytes == 1) answer<1>(p, pattern, query, first);
    else if (symbol_bytes == 2) answer<2>(p, pattern, query, first);
    else answer<4>(p, pattern, query, first);
  });
}

}  // namespace proxel::cpu
