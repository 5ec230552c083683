#include <algorithm>

#include "passes/grids.hpp"
#include "passes/memory.hpp"
#include "passes/permutation_positions.hpp"
#include "passes/reference.hpp"
#include "proxel/passes/permutations.h"

namespace proxel {

Pass passes::make_permutations(const PermutationsParameters& parameters) {
  const std::uint64_t objects = parameters.first_object % permutation_block + parameters.objects;
  const std::uint64_t words =
      divide_up(objects, permutation_block) * permutation_block * permutation_words(parameters.permutants);
  return make_pass(permutations, parameters, {}, {strided_groups(divide_up(words, common_workgroup)), 1, 1},
                   common_workgroup);
}

PROXEL_THREADED_PASS(permutations)(const Pass& pass) {
  using namespace passes;
  const auto p = pass.as<PermutationsParameters>();
  const auto* distances = at<const std::uint32_t>(p.distances);
  for (std::uint64_t object = 0; object < p.objects; ++object) {
    std::uint32_t* words = at<std::uint32_t>(p.positions) + permutation_word(p.first_object + object, p.permutants);
    for (std::uint32_t word = 0; word < permutation_words(p.permutants); ++word) {
      std::uint32_t packed = 0;
      for (std::uint32_t i = 4 * word; i < std::min(4 * word + 4, p.permutants); ++i) {
        const auto distance = [&](std::uint32_t permutant) {
          return distances[object * p.object_stride + std::uint64_t{permutant} * p.permutant_stride];
        };
        std::uint32_t position = 0;
        for (std::uint32_t j = 0; j < p.permutants; ++j)
          position += distance(j) < distance(i) || (distance(j) == distance(i) && j < i);
        packed |= std::min(position, p.kept) << (i % 4 * 8);
      }
      words[std::uint64_t{word} * permutation_block] = packed;
    }
  }
}

}  // namespace proxel
