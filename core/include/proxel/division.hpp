#pragma once

// How an index divides its work among several devices.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "proxel/export.h"

PROXEL_PUBLIC_BEGIN
namespace proxel {

/// What the devices of an index divide among each other.
enum class Division {
  rows,     ///< each has a part of the rows and searches it for all queries; their answers are merged
  queries,  ///< each has all rows and answers a part of the queries
};

/// "rows", "queries".
std::string_view to_string(Division division);
/// Throws Error(invalid_argument) that lists them.
Division division_from_string(std::string_view name);

/// How an index divides its work among devices. Of strings and signatures these are what vectors have for rows.
/// @tparam Options  of the index on each device
template <typename Options>
struct ShardedOptionsOf {
  Division division = Division::rows;
  /// The part of each device, in their order, in any unit: numbers of at least 0, not all 0. Empty: as fast as each
  /// searches a sample of the rows, which is tried when the index is made; devices of one name and driver are taken as alike.
  std::vector<double> shares;
  /// How the index on each device keeps its rows and answers.
  Options index = {};
};

/// What one device has of an index.
struct ShardInfo {
  std::string device;      ///< its id: "cuda:1"
  double share = 0;        ///< 0 … 1; they add up to 1
  std::uint64_t rows = 0;  ///< with those that have been removed
};

}  // namespace proxel
PROXEL_PUBLIC_END
