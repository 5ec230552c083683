// Blocks of 32 strings, a lane each (levenshtein.inc). Candidates are copied to a block
// of their own.

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <vector>

#include "cpu/machine.hpp"
#include "passes/grids.hpp"
#include "passes/string_blocks.hpp"

namespace proxel::cpu {
namespace {

using passes::string_block;

constexpr std::uint64_t strings_at_a_time = 4096;
static_assert(strings_at_a_time % string_block == 0);

// StringBlock::column's share of 32 symbols of the query.
struct alignas(64) ColumnMemory {
  std::byte bytes[128];
};

std::uint64_t items_of(const passes::LevenshteinParameters& p) {
  return p.candidates == 0 ? p.string_count : p.candidate_count;
}

// 32 strings or fewer, and where they stand.
struct Taken {
  std::uint32_t count = 0;
  std::array<std::uint32_t, string_block> places{};
  std::array<std::uint32_t, string_block> lengths{};
  std::vector<std::uint32_t> copied = std::vector<std::uint32_t>(string_block);

  void take_block(const passes::LevenshteinParameters& p, std::uint64_t first, StringBlock& block) {
    std::iota(places.begin(), places.end(), static_cast<std::uint32_t>(first));
    std::copy_n(passes::at<const std::uint32_t>(p.lengths) + first, count, lengths.begin());
    block.symbols = passes::words_at(p, first);
    block.shortest = lengths[0];
    block.longest = lengths[count - 1];
  }

  void copy_candidates(const passes::LevenshteinParameters& p, const std::uint32_t* candidates, StringBlock& block) {
    for (std::uint32_t i = 0; i < count; ++i) {
      places[i] = passes::at<const std::uint32_t>(p.places)[candidates[i]];
      lengths[i] = passes::at<const std::uint32_t>(p.lengths)[places[i]];
      const std::size_t lines = passes::divide_up(lengths[i], 4 / block.symbol_bytes);
      if (copied.size() < lines * string_block) copied.resize(lines * string_block);
      const std::uint32_t* from = passes::words_at(p, places[i]);
      for (std::size_t line = 0; line < lines; ++line) copied[line * string_block + i] = from[line * string_block];
    }
    const auto [shortest, longest] = std::minmax_element(lengths.begin(), lengths.begin() + count);
    block.symbols = copied.data();
    block.shortest = *shortest;
    block.longest = *longest;
  }
};

void answer(const passes::LevenshteinParameters& p, std::uint32_t symbol_bytes, std::uint32_t query,
            std::uint64_t first, const Kernels& kernels) {
  const auto* offsets = passes::at<const std::uint32_t>(p.offsets);
  const auto* numbers = passes::at<const std::uint32_t>(p.numbers);
  const auto* candidates = passes::at<const std::uint32_t>(p.candidates);
  auto* to = passes::at<float>(p.distances) + std::uint64_t{query} * p.distance_stride;

  Taken strings;
  std::array<std::uint32_t, string_block> distances{};
  StringBlock block;
  block.symbol_bytes = symbol_bytes;
  block.lengths = strings.lengths.data();
  block.table = passes::at<const std::uint32_t>(p.tables) + std::uint64_t{query} * p.words * p.alphabet;
  block.alphabet = p.alphabet;
  block.query_length = offsets[query + 1] - offsets[query];
  block.bound = p.bound;
  block.distances = distances.data();
  std::vector<ColumnMemory> column(passes::divide_up(block.query_length, 32) + 1);
  block.column = column.front().bytes;

  const std::uint64_t count = items_of(p);
  const std::uint64_t end = std::min(first + strings_at_a_time, count);
  for (std::uint64_t begin = first; begin < end; begin += string_block) {
    strings.count = static_cast<std::uint32_t>(std::min<std::uint64_t>(string_block, end - begin));
    if (candidates)
      strings.copy_candidates(p, candidates + std::uint64_t{query} * p.candidate_stride + begin, block);
    else
      strings.take_block(p, begin, block);
    // Each symbol that a string has more than the query, or fewer, is an edit.
    const bool too_long = block.shortest > std::uint64_t{block.query_length} + p.bound;
    const bool too_short = block.query_length > std::uint64_t{block.longest} + p.bound;
    if (!too_long && !too_short) kernels.levenshtein(block);
    for (std::uint32_t i = 0; i < strings.count; ++i)
      to[p.listed != 0 ? begin + i : numbers[strings.places[i]]] = too_long || too_short || distances[i] > p.bound
                                                                       ? std::numeric_limits<float>::quiet_NaN()
                                                                       : static_cast<float>(distances[i]);
  }
}

}  // namespace

void levenshtein(const Pass& pass, Machine& machine) {
  const auto p = pass.as<passes::LevenshteinParameters>();
  const std::uint32_t symbol_bytes = pass.constants_as<passes::LevenshteinConstants>().symbol_bytes;
  const std::uint64_t parts = passes::divide_up(items_of(p), strings_at_a_time);
  machine.workers.for_each(parts * pass.grid.y, [&](std::uint64_t item) {
    answer(p, symbol_bytes, static_cast<std::uint32_t>(item / parts), item % parts * strings_at_a_time,
           machine.kernels);
  });
}

}  // namespace proxel::cpu
