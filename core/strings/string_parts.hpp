#pragma once

#include <cstdint>
#include <vector>

#include "proxel/strings.hpp"
#include "sharding/part.hpp"
#include "strings/packed_strings.hpp"

namespace proxel::strings {

/// Consecutive strings that take so much device memory together at most, or are one string. Makes up all of them.
/// @param alphabet  of all of them
/// @param bytes     of device memory
std::vector<sharding::Part> parts_within(const Strings& strings, const Alphabet& alphabet, std::uint64_t bytes);

}  // namespace proxel::strings
