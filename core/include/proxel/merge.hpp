#pragma once

// Answers of searches of parts of the rows, as one.

#include <cstdint>
#include <span>

#include "proxel/export.h"
#include "proxel/metric.hpp"
#include "proxel/neighbors.hpp"

PROXEL_PUBLIC_BEGIN
namespace proxel {

/// The answer of a search of some of the rows.
struct PartialAnswer {
  /// Ordered (SearchOptions::ordered, SearchDescription::ordered), [queries x any number], at least as many as are merged
  /// or as there are rows in the part. Read during the call.
  const Neighbors& found;
  std::uint64_t first_index = 0;  ///< that the part's row 0 has among all rows
};

/// The k nearest of all parts, ordered again, so that it can itself be a part (of first index 0): any number of answers
/// merged in any tree, and then finish(), have the bits of one search of all rows.
/// The report adds up what the parts took and did; its method is the first part's.
/// @param metric  of the searches
/// @param k       at least 1; slots past what the parts have are padded
/// Throws Error(invalid_argument) unless the parts are of as many queries and number their rows below 2^32-1;
/// Error(out_of_memory).
Neighbors merge(std::span<const PartialAnswer> parts, std::uint64_t k, Metric metric);

/// Turns an ordered answer into that of a search: takes l2's roots, and cosine's and pearson's products from 1.
void finish(Neighbors& ordered, Metric metric);

}  // namespace proxel
PROXEL_PUBLIC_END
