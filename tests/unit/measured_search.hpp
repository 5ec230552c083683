#pragma once

#include <string>

#include <fmt/format.h>

#include "index/expected_times.hpp"
#include "proxel/device.hpp"
#include "proxel/search.hpp"

// What the tests of expected times share.
namespace proxel::index {

inline constexpr BackendKind cuda = BackendKind::cuda, vulkan = BackendKind::vulkan;
// What is measured here of `fused`, codes and halves is of a time when searches copied what they counted; they take so much less since, in the median
// of 567 and of 474 searches (docs/lab/few-queries.md).
inline double spared(BackendKind backend) { return backend == cuda ? 0.012 : 0.0075; }
// What a cliff may be beside a factor.
inline constexpr double slack_milliseconds = 0.02;
inline constexpr double slack_of_few_milliseconds = 0.01;

/// @param measured  has rows, dimensions, queries and k
template <typename Measured>
SearchDescription described(const Measured& measured) {
  SearchDescription description;
  description.rows = measured.rows;
  description.dimensions = measured.dimensions;
  description.queries = measured.queries;
  description.k = measured.k;
  return description;
}

/// What fused is expected to take by l1 or linf: by codes or by canonical thresholds, as plans choose.
inline double expected_magnitudes_milliseconds(const SearchDescription& description, BackendKind backend) {
  return codes_before_distances(description, backend) ? expected_codes_milliseconds(description, backend)
                                                      : expected_fused_milliseconds(description, backend, false);
}

inline std::string text(const SearchDescription& description, BackendKind backend) {
  return fmt::format("{}: {} x {}, {} queries by {}, k = {}", to_string(backend), description.rows,
                     description.dimensions, description.queries, to_string(description.metric), description.k);
}

}  // namespace proxel::index
