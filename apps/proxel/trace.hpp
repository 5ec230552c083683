#pragma once

#include <vector>

#include "proxel/device.hpp"
#include "table.hpp"

namespace proxel::tool {

/// Passes of one or more searches as a table in the order of their first run:
/// label, pass, calls, milliseconds, share of the device time.
Table trace_table(const std::vector<PassTime>& passes);

}  // namespace proxel::tool
