#pragma once

// What distances that were rounded still prove.

#include <cstdint>

#include "proxel/papers/krulis.hpp"

namespace proxel::krulis {

/// Between which a true distance lies.
struct Interval {
  float low = 0;
  float high = 0;
};

/// Bounds of the true distance behind one that sqfd_block computed.
/// @param error  sqfd_error() of the pair
Interval true_distance(float computed, double error);

/// A pair whose true distance is above this has a computed one above the radius; so has one
/// of which binary32 arithmetic of one rounding says so.
/// @param error  sqfd_error() of the pair
float exclusion_limit(float radius, double error);

}  // namespace proxel::krulis
