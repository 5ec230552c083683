#pragma once

#include <string>

#include "command_line.hpp"

namespace proxel::tool {

/// Refuses options that were given and that the suite does not look at, so that nobody takes the times of all sizes for
/// those of the size that they asked for. Throws Error(invalid_argument) that names the option, what the suite measures
/// instead where it is about --data, and the suites that look at it.
/// @param app    whose options have been parsed
/// @param suite  one of the program's suites
void check_suite_options(const CLI::App& app, const std::string& suite);

}  // namespace proxel::tool
