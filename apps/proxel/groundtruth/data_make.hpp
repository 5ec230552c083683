#pragma once

#include "command_line.hpp"
#include "program.hpp"

namespace proxel::tool {

/// Adds the command `data make`, which writes the rows that "made:…" names (made_rows.hpp).
void add_data_make(CLI::App& data, Context& context);

}  // namespace proxel::tool
