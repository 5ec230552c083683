#pragma once

#include <algorithm>

#include <fmt/format.h>

#include "c_api/structs.hpp"
#include "proxel/matrix.hpp"
#include "proxel/signatures.hpp"

namespace proxel::c_api {

Signatures signatures_of(const proxel_signatures* given, const char* argument);

/// Writes all distances of some queries, which `find` finds, where there is room for them.
template <typename Find>
void write_distances(const Signatures& queries, std::uint64_t objects, float* distances, std::uint64_t slots,
                     const Find& find) {
  if (queries.size() > slots / objects)
    refuse("slots", fmt::format("{} were given, {} x {} are needed", slots, queries.size(), objects));
  if (queries.size() != 0) require_given(distances, "distances");
  const Matrix<float> found = find();
  std::copy_n(found.data(), found.rows() * found.columns(), distances);
}

}  // namespace proxel::c_api
