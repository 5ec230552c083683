#pragma once

// Sizes that the passes of selections share.

#include <cstdint>

#include "proxel/export.h"

PROXEL_PUBLIC_BEGIN
namespace proxel::passes {

/// The list length that selects k keys: 1 for k = 1, otherwise the smallest
/// power of two that is at least k, and at least 2.
std::uint32_t list_length(std::uint64_t k);

/// Shared memory that a selection needs, bytes. With list length 1: a key per
/// invocation. Otherwise 2 * max(list length, workgroup size) keys and 16 bytes.
std::uint32_t selection_shared_bytes(std::uint32_t list_length, std::uint32_t workgroup_size);

/// Shared memory in which a workgroup brings keys in order by distribution, bytes: more than what is counted of each bucket.
std::uint32_t distribution_shared_bytes(std::uint32_t buckets);

/// Shared memory of what sorts `run` keys at once, and many by distribution, bytes.
std::uint32_t run_shared_bytes(std::uint32_t run);

/// Shared memory of stream_select, and of group_select, with a pool of
/// `capacity` keys, bytes.
std::uint32_t pool_shared_bytes(std::uint32_t capacity);

std::uint32_t group_select_shared_bytes(std::uint32_t capacity);

/// Keys that a workgroup of a radix pass takes at once.
constexpr std::uint32_t radix_tile(std::uint32_t workgroup_size) { return 16 * workgroup_size; }

/// Shared memory of the radix passes, bytes.
std::uint32_t radix_shared_bytes(std::uint32_t subgroups);

}  // namespace proxel::passes
PROXEL_PUBLIC_END
