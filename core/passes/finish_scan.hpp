#pragma once

#include "proxel/pass.hpp"

namespace proxel::passes {

/// What the last workgroup of a query does in a scan_select with tickets: merges the query's lists and decodes them.
void finish_scan(const Pass& scan_select, std::uint64_t query);

}  // namespace proxel::passes
