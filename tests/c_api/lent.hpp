#pragma once

// A plan's buffers in memory of an engine's.

#include "support.hpp"

namespace proxel::c_test {

/// @tparam Lent  memory of the engine's with proxel's handle over it, view()
template <typename Lent>
struct LentBuffers {
  /// @param make  memory for a requirement
  template <typename Make>
  LentBuffers(const proxel_requirements& needed, const Make& make)
      : rows(make(needed.rows)),
        queries(make(needed.queries)),
        scratch(make(needed.scratch)),
        indices(make(needed.indices)),
        distances(make(needed.distances)) {
    all.rows = rows.view();
    all.queries = queries.view();
    all.scratch = scratch.view();
    all.indices = indices.view();
    all.distances = distances.view();
  }
  LentBuffers(const LentBuffers&) = delete;

  const Lent rows, queries, scratch, indices, distances;
  proxel_search_buffers all = PROXEL_SEARCH_BUFFERS_INIT;
};

inline proxel_requirements requirements_of(const proxel_plan* plan) {
  proxel_requirements needed = PROXEL_REQUIREMENTS_INIT;
  CHECK_OK(proxel_plan_get_requirements(plan, &needed));
  return needed;
}

}  // namespace proxel::c_test
