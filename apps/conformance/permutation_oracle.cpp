#include "permutation_oracle.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

namespace proxel::conformance {

using passes::PermutationDistance;

Positions positions_in(std::span<const std::uint32_t> order, std::uint32_t prefix) {
  Positions positions(order.size());
  for (std::size_t place = 0; place < order.size(); ++place)
    positions[order[place]] = static_cast<int>(prefix == 0 ? place : std::min<std::size_t>(place, prefix));
  return positions;
}

std::uint32_t permutation_distance(PermutationDistance distance, const Positions& a, const Positions& b) {
  int sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (distance == PermutationDistance::footrule) sum += std::abs(a[i] - b[i]);
    if (distance == PermutationDistance::spearman_rho) sum += (a[i] - b[i]) * (a[i] - b[i]);
    if (distance == PermutationDistance::kendall_tau)
      for (std::size_t j = i + 1; j < a.size(); ++j)
        sum += (a[i] < a[j] && b[i] > b[j]) || (a[i] > a[j] && b[i] < b[j]) ? 1 : 0;
  }
  return static_cast<std::uint32_t>(sum);
}

std::uint64_t candidates_of(std::uint64_t objects, std::uint64_t k, double fraction) {
  const double share = fraction * static_cast<double>(objects);
  return std::min(std::max(static_cast<std::uint64_t>(std::ceil(share * (1 - 1e-9))), k), objects);
}

std::vector<std::uint32_t> nearest_permutations(PermutationDistance distance, const Positions& query,
                                                const std::vector<Positions>& objects, std::uint64_t count) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> order;
  for (std::uint32_t i = 0; i < objects.size(); ++i)
    order.emplace_back(permutation_distance(distance, query, objects[i]), i);
  std::sort(order.begin(), order.end());
  std::vector<std::uint32_t> nearest;
  for (std::uint64_t i = 0; i < count; ++i) nearest.push_back(order[i].second);
  return nearest;
}

}  // namespace proxel::conformance
