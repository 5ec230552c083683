#pragma once

// What cases of range searches ask for, and what the answers over memory of the caller's are held to.

#include <cstdint>
#include <string>

#include "oracle.hpp"
#include "proxel/metric.hpp"

namespace proxel::conformance {

/// The radius of a case.
enum class Radius {
  tie,      ///< the distance of one of query 0's objects
  nothing,  ///< below every distance
  zero,
  infinite,
};

const char* to_string(Radius radius);

/// The radius itself, unless it is a tie.
float edge_radius(Radius radius, Metric metric);

/// Where the answers differ, over memory for `capacity` neighbours: counts are exact, and queries that
/// end past it have only counts. Empty where they do not.
std::string difference(const RangeAnswer& expected, const RangeAnswer& actual, std::uint64_t capacity);

}  // namespace proxel::conformance
