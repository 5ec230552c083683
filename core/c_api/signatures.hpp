#pragma once

#include <algorithm>

#include <fmt/format.h>

#include "c_api/arguments.hpp"
#include "c_api/boundary.hpp"
#include "c_api/structs.hpp"
#include "proxel/matrix.hpp"
#include "proxel/signatures.hpp"

namespace proxel::c_api {

Signatures signatures_of(const proxel_signatures* given, const char* argument);

/// The k nearest of either kind of index, written where there is room for them.
template <typename Held>
void search_signatures(Held& held, const proxel_signatures* queries, std::uint64_t k, proxel_progress progress,
                       void* progress_user, std::uint32_t* indices, float* distances, std::uint64_t slots) {
  const Signatures asked = signatures_of(queries, "queries");
  const Results results(indices, distances, slots, asked.size(), k);
  results.write(held.keep(held.index.search(asked, k, progress_of(progress, progress_user))));
}

/// Writes all distances of some queries, which `find` finds, where there is room for them.
template <typename Find>
void write_distances(const Signatures& queries, std::uint64_t objects, float* distances, std::uint64_t slots,
                     const Find& find) {
  if (queries.size() > slots / objects)
    refuse("slots", fmt::format("{} were given, {} x {} are needed", slots, queries.size(), objects));
  if (queries.size() != 0) require_given(distances, "distances");
  const Distances found = find();
  std::copy_n(found.values.data(), found.values.rows() * found.values.columns(), distances);
}

}  // namespace proxel::c_api
