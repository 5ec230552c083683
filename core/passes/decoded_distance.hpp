#pragma once

#include <cmath>
#include <cstdint>

#include "passes/order.hpp"
#include "proxel/metric.hpp"
#include "proxel/passes/types.h"

namespace proxel::passes {

/// What decoding does last to a distance of the metric (types.h).
constexpr std::uint32_t finish_of(Metric metric) {
  if (normalizes(metric)) return finish_complement;
  return metric == Metric::l2 ? finish_root : finish_none;
}

/// The distance that a caller sees for a key, or for no row (decode_keys.h).
inline float decoded_distance(std::uint64_t key, bool largest_first, std::uint32_t finish) {
  if (key == no_row_key) return no_row_distance(largest_first && finish != finish_complement);
  const float distance = value_of_distance_key(distance_key_of(key), largest_first);
  if (std::isnan(distance)) return distance;
  // IEEE 754 requires the square root to be correctly rounded.
  if (finish == finish_root) return std::sqrt(distance);
  return finish == finish_complement ? 1.0f - distance : distance;
}

}  // namespace proxel::passes
