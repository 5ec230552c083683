#include <algorithm>
#include <bit>

#include "proxel/passes.hpp"

namespace proxel::passes {

std::uint32_t list_length(std::uint64_t k) {
  if (k <= 1) return 1;
  return static_cast<std::uint32_t>(std::bit_ceil(k));
}

std::uint32_t selection_shared_bytes(std::uint32_t list_length, std::uint32_t workgroup_size) {
  constexpr std::uint32_t key_bytes = 8;
  if (list_length == 1) return workgroup_size * key_bytes;
  return 2 * std::max(list_length, workgroup_size) * key_bytes + 16;
}

}  // namespace proxel::passes
