#include "recall.hpp"

#include <algorithm>
#include <cstring>

namespace proxel::tool {

Recall recall_of(const Neighbors& exact, const Neighbors& found, bool largest_first) {
  Recall recall;
  const std::uint64_t k = exact.indices.columns();
  for (std::uint64_t query = 0; query < exact.indices.rows(); ++query) {
    const float farthest = exact.distances(query, k - 1);
    for (std::uint64_t rank = 0; rank < k; ++rank) {
      const std::uint32_t* same = exact.indices.data() + query * k;
      recall.by_identity += std::count(same, same + k, found.indices(query, rank)) != 0 ? 1 : 0;
      const float distance = found.distances(query, rank);
      recall.with_ties += (largest_first ? distance >= farthest : distance <= farthest) ? 1 : 0;
    }
  }
  const auto all = static_cast<double>(exact.indices.rows() * k);
  return {recall.by_identity / all, recall.with_ties / all};
}

double recall_of(const RangeNeighbors& exact, const RangeNeighbors& found) {
  if (exact.indices.empty()) return 1;
  return static_cast<double>(found.indices.size()) / static_cast<double>(exact.indices.size());
}

namespace {

// Bit for bit: NaN is NaN.
bool same_distances(const float* a, const float* b, std::uint64_t count) {
  return count == 0 || std::memcmp(a, b, count * sizeof *a) == 0;
}

}  // namespace

bool same_answer(const Neighbors& a, const Neighbors& b) {
  const std::uint64_t slots = a.indices.rows() * a.indices.columns();
  return std::equal(a.indices.data(), a.indices.data() + slots, b.indices.data()) &&
         same_distances(a.distances.data(), b.distances.data(), slots);
}

bool same_answer(const RangeNeighbors& a, const RangeNeighbors& b) {
  return a.offsets == b.offsets && a.indices == b.indices &&
         same_distances(a.distances.data(), b.distances.data(), a.distances.size());
}

}  // namespace proxel::tool
