#pragma once

// When two answers of a bounded metric (cosine, pearson) count as the same.

#include <cstdint>
#include <string>

#include "proxel/neighbors.hpp"

namespace proxel::conformance {

/// The contract's rule for bounded metrics: in each answer every row is sorted,
/// its indices valid and different; distances of shared neighbours agree within
/// the bound; every neighbour nearer than (k-th distance - bound) in one, by the
/// farther of the two k-ths, appears in the other; both are padded alike. Empty where all of that holds;
/// otherwise what does not.
/// @param rows   of the database
/// @param bound  0 or more, in units of the distance
std::string bounded_difference(const Neighbors& expected, const Neighbors& actual, std::uint64_t rows, double bound);

}  // namespace proxel::conformance
