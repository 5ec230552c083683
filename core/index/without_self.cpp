#include "index/without_self.hpp"

#include <algorithm>

#include "search/check.hpp"
#include "session/room.hpp"

namespace proxel::index {
namespace {

template <typename T>
void copy_without(std::uint64_t slot, const T* from, std::uint64_t count, T* to) {
  std::copy(from, from + slot, to);
  std::copy(from + slot + 1, from + count, to + slot);
}

}  // namespace

std::uint64_t wider_by_self(std::uint64_t k) {
  search::require_range("k", k, 1, search::most_k - 1);
  return k + 1;
}

Neighbors without_self(const Neighbors& found, std::span<const std::uint32_t> self) {
  const std::uint64_t wider = found.indices.columns(), k = wider - 1;
  Neighbors others = session::neighbors_room(self.size(), k);
  others.report = found.report;
  for (std::uint64_t query = 0; query < self.size(); ++query) {
    const std::uint32_t* indices = found.indices.data() + query * wider;
    const auto own = static_cast<std::uint64_t>(std::find(indices, indices + k, self[query]) - indices);
    copy_without(own, indices, wider, others.indices.data() + query * k);
    copy_without(own, found.distances.data() + query * wider, wider, others.distances.data() + query * k);
  }
  return others;
}

}  // namespace proxel::index
