#pragma once

#include "proxel/data_table.hpp"

namespace proxel::data {

/// Does with the NaN of a table what TableOptions::missing says.
void resolve_missing(DataTable& table, const TableOptions& options);

}  // namespace proxel::data
