#pragma once

#include <algorithm>
#include <cstdint>

namespace proxel::passes {

/// Shared memory in which a workgroup finds the k-th smallest of many 32-bit
/// keys, few of them by counting, more in sorted runs; `run` is a power of two of at least k.
constexpr std::uint32_t kth_smallest_bytes(std::uint32_t run) { return 4 * std::max(512u, 2 * run); }

}  // namespace proxel::passes
