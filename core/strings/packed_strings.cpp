#include "strings/packed_strings.hpp"

#include <algorithm>
#include <future>
#include <numeric>
#include <thread>

#include <fmt/format.h>

#include "proxel/passes/levenshtein.h"
#include "search/check.hpp"

namespace proxel::strings {

using passes::string_block;

namespace {

// Symbols whose numbers stand in a table: the Basic Multilingual Plane.
constexpr std::uint32_t tabled_symbols = 1u << 16;

}  // namespace

Alphabet::Alphabet(const Strings& strings, const Strings& more) {
  std::vector<std::uint8_t> seen(tabled_symbols);
  std::vector<std::uint32_t> others;
  for (const Strings* all : {&strings, &more})
    for (const std::uint32_t symbol : all->symbols())
      if (symbol < tabled_symbols)
        seen[symbol] = 1;
      else
        others.push_back(symbol);
  for (std::uint32_t symbol = 0; symbol < tabled_symbols; ++symbol)
    if (seen[symbol] != 0) symbols_.push_back(symbol);
  std::sort(others.begin(), others.end());
  others.erase(std::unique(others.begin(), others.end()), others.end());
  symbols_.insert(symbols_.end(), others.begin(), others.end());
  numbers_.assign(tabled_symbols, size());
  for (std::uint32_t number = 0; number < size() && symbols_[number] < tabled_symbols; ++number)
    numbers_[symbols_[number]] = number;
}

std::uint32_t Alphabet::number(std::uint32_t symbol) const {
  if (symbol < tabled_symbols) return numbers_[symbol];
  const auto found = std::lower_bound(symbols_.begin(), symbols_.end(), symbol);
  return found != symbols_.end() && *found == symbol ? static_cast<std::uint32_t>(found - symbols_.begin()) : size();
}

std::uint32_t symbol_bytes_of(std::uint32_t alphabet) { return alphabet <= 0x100 ? 1 : alphabet <= 0x10000 ? 2 : 4; }

PackedStrings::PackedStrings(const Strings& strings, const Alphabet& alphabet)
    : symbol_bytes(symbol_bytes_of(alphabet.size())) {
  const std::uint64_t count = strings.size();
  numbers.resize(count);
  places.resize(count);
  lengths.resize(count);
  // By counting: of each length, how many strings are shorter.
  std::vector<std::uint32_t> next(strings.longest() + 2, 0);
  for (std::uint64_t i = 0; i < count; ++i) ++next[strings[i].size() + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::size_t length = strings[i].size();
    const std::uint32_t place = next[length]++;
    numbers[place] = static_cast<std::uint32_t>(i);
    places[i] = place;
    lengths[place] = static_cast<std::uint32_t>(length);
  }

  const std::uint32_t per = 4 / symbol_bytes;
  std::uint64_t lines = 0;
  for (std::uint64_t first = 0; first < count; first += string_block) {
    block_lines.push_back(static_cast<std::uint32_t>(lines));
    const std::uint32_t longest = lengths[std::min(first + string_block, count) - 1];
    lines += longest / per + (longest % per != 0);
  }
  if (lines > UINT32_MAX)
    throw Error(ErrorCode::unsupported, "strings",
                fmt::format("take {} lines of 32 words, {} are supported", lines, UINT32_MAX));
  symbols.assign(std::max<std::uint64_t>(lines, 1) * string_block, 0);
  const auto pack = [&](std::uint64_t first, std::uint64_t end) {
    for (std::uint64_t place = first; place < end; ++place) {
      std::uint32_t* line =
          symbols.data() + std::uint64_t{block_lines[place / string_block]} * string_block + place % string_block;
      const auto string = strings[numbers[place]];
      for (std::size_t i = 0; i < string.size(); line += string_block) {
        std::uint32_t word = 0;
        for (std::uint32_t shift = 0; shift < 32 && i < string.size(); shift += 8 * symbol_bytes)
          word |= alphabet.number(string[i++]) << shift;
        *line = word;
      }
    }
  };
  // Fewer are packed sooner than a thread has started.
  constexpr std::uint64_t worth_a_thread = 20'000;
  const std::uint64_t threads =
      std::clamp<std::uint64_t>(count / worth_a_thread, 1, std::clamp(std::thread::hardware_concurrency(), 1u, 8u));
  const std::uint64_t share =
      search::divide_up(search::divide_up<std::uint64_t>(count, string_block), threads) * string_block;
  std::vector<std::future<void>> others;
  others.reserve(threads);
  std::uint64_t first = share;
  try {
    for (; first < count; first += share)
      others.push_back(std::async(std::launch::async, pack, first, std::min(first + share, count)));
  } catch (const std::exception&) {
    // No more threads, or no memory for them: this one packs what is left.
    pack(first, count);
  }
  pack(0, std::min(share, count));
  for (std::future<void>& other : others) other.get();
}

}  // namespace proxel::strings
