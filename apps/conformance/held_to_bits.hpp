#pragma once

#include "proxel/trial.hpp"
#include "values.hpp"

namespace proxel::conformance {

/// Whether this device promises the same bits: one that keeps denormal numbers does for every kind.
inline bool held_to_bits(const Device& device, Kind kind) {
  return bit_identical(kind) || trial_of(device).keeps_subnormals;
}

}  // namespace proxel::conformance
