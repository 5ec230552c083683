#pragma once

#include <cstdint>

namespace proxel::passes {

/// A thread of the tile passes computes this many queries by this many rows.
inline constexpr std::uint32_t thread_tile = 8;
/// Dimensions whose slices of queries and rows are staged in shared memory at a time.
inline constexpr std::uint32_t staged_dimensions = 8;

/// Queries, and rows, of the tile of a workgroup of width x width threads.
constexpr std::uint32_t tile_side(std::uint32_t width) { return thread_tile * width; }

/// Shared memory for the staged slices of queries and rows, bytes.
constexpr std::uint32_t staged_bytes(std::uint32_t width) { return 2 * staged_dimensions * tile_side(width) * 4; }

}  // namespace proxel::passes
