#include <cstdlib>

#include "passes/grids.hpp"
#include "passes/memory.hpp"
#include "passes/permutation_distances.hpp"
#include "passes/permutation_positions.hpp"
#include "passes/reference.hpp"
#include "proxel/passes/permutation_distance.h"

namespace proxel {

Pass passes::make_permutation_distance(const PermutationDistanceParameters& parameters, PermutationDistance distance,
                                       std::uint32_t content, std::uint32_t groups) {
  constexpr std::uint32_t shared_bytes = most_permutants * permutation_tile_queries / 2 * 4;
  const auto tiles = static_cast<std::uint32_t>(divide_up(parameters.query_count, permutation_tile_queries));
  return make_pass(permutation_distance, parameters,
                   {.distance = static_cast<std::uint32_t>(distance), .content = content}, {groups, tiles, 1},
                   common_workgroup, shared_bytes);
}

PROXEL_THREADED_PASS(permutation_distance)(const Pass& pass) {
  using namespace passes;
  const auto p = pass.as<PermutationDistanceParameters>();
  const auto constants = pass.constants_as<PermutationDistanceConstants>();
  const auto position = [&](std::uint64_t positions, std::uint64_t object, std::uint32_t permutant) {
    const std::uint32_t word = at<const std::uint32_t>(
        positions)[permutation_word(object, p.permutants) + std::uint64_t{permutant / 4} * permutation_block];
    return static_cast<int>(word >> (permutant % 4 * 8) & 0xFF);
  };
  for (std::uint64_t query = 0; query < p.query_count; ++query) {
    const PermutationDistances distances(p, constants.content, query);
    for (std::uint64_t object = 0; object < p.objects; ++object) {
      const auto a = [&](std::uint32_t i) { return position(p.query_positions, p.first_query + query, i); };
      const auto b = [&](std::uint32_t i) { return position(p.positions, object, i); };
      int sum = 0;
      for (std::uint32_t i = 0; i < p.permutants; ++i) {
        const int difference = a(i) - b(i);
        if (constants.distance == permutation_footrule) sum += std::abs(difference);
        if (constants.distance == permutation_spearman_rho) sum += difference * difference;
        if (constants.distance == permutation_kendall_tau)
          for (std::uint32_t j = 0; j < i; ++j) sum += (a(i) - a(j)) * (b(i) - b(j)) < 0;
      }
      distances.put(object, static_cast<std::uint32_t>(sum));
    }
    distances.end();
  }
}

}  // namespace proxel
