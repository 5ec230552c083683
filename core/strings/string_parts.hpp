#pragma once

#include <cstdint>
#include <vector>

#include "proxel/strings.hpp"
#include "sharding/part.hpp"

namespace proxel::strings {

/// Consecutive strings that take so much device memory together at most, or are one string. Makes up all of them.
/// @param bytes  of device memory
std::vector<sharding::Part> parts_within(const Strings& strings, std::uint64_t bytes);

}  // namespace proxel::strings
