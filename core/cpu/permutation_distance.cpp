// Objects of a block side by side, so that a word of each is added at once.

#include <algorithm>
#include <array>
#include <cstdlib>

#include "cpu/machine.hpp"
#include "passes/grids.hpp"
#include "passes/memory.hpp"
#include "passes/permutation_distances.hpp"
#include "passes/permutation_positions.hpp"
#include "passes/reference.hpp"
#include "proxel/passes/permutation_distance.h"

namespace proxel::cpu {
namespace {

using passes::permutation_block;

constexpr std::uint64_t blocks_at_a_time = 256;

template <bool squared>
void answer(const passes::PermutationDistanceParameters& p, std::uint32_t content, std::uint32_t query,
            std::uint64_t first_block) {
  const passes::PermutationDistances distances(p, content, query);
  const std::uint32_t words = passes::permutation_words(p.permutants);
  const std::uint32_t* of_query = passes::at<const std::uint32_t>(p.query_positions) +
                                  passes::permutation_word(p.first_query + query, p.permutants);
  const std::uint64_t blocks = passes::divide_up(p.objects, permutation_block);
  for (std::uint64_t block = first_block; block < std::min(first_block + blocks_at_a_time, blocks); ++block) {
    const std::uint32_t* positions = passes::at<const std::uint32_t>(p.positions) + block * words * permutation_block;
    std::array<std::int32_t, permutation_block> sums{};
    for (std::uint32_t w = 0; w < words; ++w) {
      const std::uint32_t a = of_query[std::size_t{w} * permutation_block];
      for (std::uint32_t shift = 0; shift < 32; shift += 8) {
        const auto place = static_cast<std::int32_t>(a >> shift & 0xFF);
        for (std::uint32_t i = 0; i < permutation_block; ++i) {
          const std::int32_t difference =
              place - static_cast<std::int32_t>(positions[w * permutation_block + i] >> shift & 0xFF);
          sums[i] += squared ? difference * difference : std::abs(difference);
        }
      }
    }
    const std::uint64_t first = block * permutation_block;
    const std::uint64_t count = std::min<std::uint64_t>(permutation_block, p.objects - first);
    for (std::uint64_t i = 0; i < count; ++i) distances.put(first + i, static_cast<std::uint32_t>(sums[i]));
    if (block + 1 == blocks) distances.end();
  }
}

using Positions = std::array<std::int16_t, passes::most_permutants>;

// @param words  of an object: its first
Positions positions_of(const std::uint32_t* words, std::uint32_t permutants) {
  Positions positions{};
  for (std::uint32_t i = 0; i < permutants; ++i)
    positions[i] = static_cast<std::int16_t>(words[std::size_t{i / 4} * permutation_block] >> (i % 4 * 8) & 0xFF);
  return positions;
}

// Pairs of permutants that the query and an object see in opposite orders, of each object of a block.
void answer_kendall_tau(const passes::PermutationDistanceParameters& p, std::uint32_t content, std::uint32_t query,
                        std::uint64_t block) {
  const passes::PermutationDistances distances(p, content, query);
  const Positions a = positions_of(passes::at<const std::uint32_t>(p.query_positions) +
                                       passes::permutation_word(p.first_query + query, p.permutants),
                                   p.permutants);
  const std::uint64_t first = block * permutation_block,
                      end = std::min(first + permutation_block, std::uint64_t{p.objects});
  for (std::uint64_t object = first; object < end; ++object) {
    const Positions b = positions_of(
        passes::at<const std::uint32_t>(p.positions) + passes::permutation_word(object, p.permutants), p.permutants);
    std::uint32_t opposite = 0;
    for (std::uint32_t i = 1; i < p.permutants; ++i)
      for (std::uint32_t j = 0; j < i; ++j) opposite += (a[i] - a[j]) * (b[i] - b[j]) < 0;
    distances.put(object, opposite);
  }
  if (end == p.objects) distances.end();
}

}  // namespace

void permutation_distance(const Pass& pass, Machine& machine) {
  const auto p = pass.as<passes::PermutationDistanceParameters>();
  const auto constants = pass.constants_as<passes::PermutationDistanceConstants>();
  const std::uint32_t distance = constants.distance;
  const std::uint64_t blocks = passes::divide_up(p.objects, permutation_block);
  if (distance == passes::permutation_kendall_tau) {
    machine.workers.for_each(blocks * p.query_count, [&](std::uint64_t item) {
      answer_kendall_tau(p, constants.content, static_cast<std::uint32_t>(item / blocks), item % blocks);
    });
    return;
  }
  const std::uint64_t parts = passes::divide_up(blocks, blocks_at_a_time);
  machine.workers.for_each(parts * p.query_count, [&](std::uint64_t item) {
    const auto query = static_cast<std::uint32_t>(item / parts);
    const std::uint64_t first = item % parts * blocks_at_a_time;
    distance == passes::permutation_spearman_rho ? answer<true>(p, constants.content, query, first)
                                                 : answer<false>(p, constants.content, query, first);
  });
}

}  // namespace proxel::cpu
