#pragma once

#include <cstdint>
#include <span>

#include "index/storage.hpp"

namespace proxel::index {

/// Brings rows as they were given back to the host, runs of successive numbers at once. Waits.
/// @param numbers  of rows of the storage, which has tiles
/// @param to       room for [numbers x dimensions]
/// Throws Error(out_of_memory | device_lost).
void read_back(const Storage& storage, std::span<const std::uint32_t> numbers, float* to);

/// Numbers at the front of which each is one more than the number before.
std::size_t run_length(std::span<const std::uint32_t> numbers);

}  // namespace proxel::index
