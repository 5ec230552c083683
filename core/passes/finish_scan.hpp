#pragma once

#include <cstdint>

#include "proxel/pass.hpp"

namespace proxel::passes {

/// Where the results of a query go, and how keys are decoded.
struct QueryResults {
  std::uint32_t* indices;  ///< [k]
  float* distances;        ///< [k]
  bool largest_first;
  std::uint32_t finish;  ///< as in decode_keys
};
/// What the last workgroup of a query does: merges the query's lists and decodes them. Returns the last of the k keys.
/// @param lists  [groups x k]
std::uint64_t finish_query(const std::uint64_t* lists, std::uint64_t groups, std::uint32_t k,
                           const QueryResults& results);

/// The same for a query of a scan_select with tickets.
void finish_scan(const Pass& scan_select, std::uint64_t query);

}  // namespace proxel::passes
