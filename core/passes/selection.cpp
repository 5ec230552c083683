#include <algorithm>
#include <bit>

#include "proxel/passes/distribution.h"
#include "proxel/passes/screen_survivors.h"
#include "proxel/passes/selection.hpp"

namespace proxel::passes {

namespace {

// What sums and ranges of a workgroup are formed in.
constexpr std::uint32_t reduction_bytes = 3 * 3 * 4;

}  // namespace

std::uint32_t list_length(std::uint64_t k) {
  if (k <= 1) return 1;
  return static_cast<std::uint32_t>(std::bit_ceil(k));
}

std::uint32_t selection_shared_bytes(std::uint32_t list_length, std::uint32_t workgroup_size) {
  constexpr std::uint32_t key_bytes = 8;
  if (list_length == 1) return workgroup_size * key_bytes;
  return 2 * std::max(list_length, workgroup_size) * key_bytes + 16;
}

std::uint32_t distribution_shared_bytes(std::uint32_t buckets) {
  constexpr std::uint32_t largest_workgroup = 512;
  return 2 * buckets + 4 + reduction_bytes + subgroup_sums_bytes(largest_workgroup);
}

std::uint32_t run_shared_bytes(std::uint32_t run) { return distribution_shared_bytes(buckets_per_run_key * run); }

std::uint32_t pool_shared_bytes(std::uint32_t capacity) {
  constexpr std::uint32_t key_bytes = 8;
  return capacity * key_bytes +
         distribution_shared_bytes(capacity > largest_sorted_pool ? capacity / pool_keys_per_bucket : 2);
}

std::uint32_t group_select_shared_bytes(std::uint32_t capacity) {
  // Half of the pool's keys may name a group.
  return pool_shared_bytes(capacity) + capacity / 2 * 4;
}

std::uint32_t radix_shared_bytes(std::uint32_t subgroups) {
  // A counter for each digit and subgroup; two arrays that sums are formed in.
  return (subgroups + 2) * 256 * 4 + 16;
}

}  // namespace proxel::passes
