#pragma once

#include <cstdint>

namespace proxel::sharding {

template <typename Objects>
std::uint64_t count_of(const Objects& objects) {
  if constexpr (requires { objects.size(); })
    return objects.size();
  else
    return objects.rows;
}

/// Consecutive things of so many: [first, first + count).
struct Part {
  std::uint64_t first = 0;
  std::uint64_t count = 0;

  /// Calls with the part of objects that can be sliced: rows, or strings and signatures, which are not copied where it
  /// is all of them.
  template <typename Objects, typename Call>
  auto of(const Objects& objects, const Call& call) const {
    return count == count_of(objects) ? call(objects) : call(objects.slice(first, count));
  }
};

}  // namespace proxel::sharding
