#pragma once

// What shapes a search or a plan beside its queries and k or radius, as the C++ interface takes it, checked.

#include <cstdint>

#include "proxel/index.hpp"
#include "proxel/proxel.h"

namespace proxel::c_api {

/// Members of proxel_search_options and proxel_plan_options that not every search knows.
enum Option : unsigned {
  option_metric = 1,
  option_fraction = 2,
  option_raw = 4,
  option_ordered = 8,
  option_filter = 16,
  option_continued = 32,
  option_counted = 64,
  option_longest_query = 128,
  option_self = 256,
};
/// Those of the nearest alone.
inline constexpr unsigned options_of_nearest = option_ordered | option_continued | option_counted | option_self;

/// What is asked of whom: which members it knows, and what refusals call it.
struct Known {
  unsigned options;
  const char* searches;
  const char* kind;
};

/// Throw Error(unsupported) that names a member which is set and not known; Error(invalid_argument) for a bad one.
struct SearchRequest {
  SearchRequest(const proxel_search_options* given, const Known& known);
  SearchRequest(const SearchRequest&) = delete;

  /// The nearest that are looked for: one more than asked for where each query's own row is among them.
  std::uint64_t reach(std::uint64_t k) const { return options.self.empty() || k == UINT64_MAX ? k : k + 1; }

  Metric metric;
  double fraction;
  SearchOptions options;  // borrows from the caller
};

struct PlanRequest {
  PlanRequest(const proxel_plan_options* given, const Known& known);

  Metric metric;
  double fraction;
  std::uint32_t longest_query;
  PlanOptions options;
};

}  // namespace proxel::c_api
