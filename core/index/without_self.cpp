#include "index/without_self.hpp"

#include "search/check.hpp"

namespace proxel::index {

std::uint64_t wider_by_self(std::uint64_t k) {
  search::require_range("k", k, 1, search::most_k - 1);
  return k + 1;
}

}  // namespace proxel::index
