#pragma once

#include <vector>

#include "proxel/index.hpp"
#include "table.hpp"

namespace proxel::tool {

/// Passes of one or more searches as a table in the order of their first run:
/// label, pass, calls, milliseconds, share of the device time.
Table trace_table(const std::vector<PassTime>& passes);

/// Queries that each rung of a certified search decided: rung, queries, share.
Table rung_table(const std::vector<RungCount>& rungs);

}  // namespace proxel::tool
