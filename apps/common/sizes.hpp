#pragma once

#include <cstdint>
#include <string>

#include "command_line.hpp"

namespace proxel::tool {

/// Bytes of "512MiB", "1.5 GiB" or "4096": units are powers of 1,024, in letters of either case, with or without "B" or
/// "iB"; a part of a byte is left out. Throws CLI::ValidationError.
std::uint64_t bytes_of(const std::string& text);

/// Has an option take such a size. The option converts to a number.
/// @param least  bytes; at most 1 PiB is allowed
CLI::Option* take_size(CLI::Option* option, std::uint64_t least);

}  // namespace proxel::tool
