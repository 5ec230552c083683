#pragma once

#include "command_line.hpp"

namespace proxel::tool {

/// Refuses what CLI11 takes and nobody means: an empty word, as a shell makes of a variable that is not set, and whole
/// numbers that are read otherwise than they look ("010" is 8, and "-1" is 2^64 - 1 in some versions). Goes by what
/// the help calls a value; an empty COLUMN or WORD means something. Throws CLI::ValidationError.
void check_given_values(const CLI::App& app);

/// Refuses lists with nothing between two commas, before the first or after the last, which CLI11 leaves out: of what the
/// user has in mind something is missing. Throws CLI::ValidationError.
/// @param words  of the command line, of which `app` has been parsed
void check_given_lists(const CLI::App& app, int count, const char* const* words);

}  // namespace proxel::tool
