#pragma once

#include "c_api/handles.hpp"
#include "c_api/names.hpp"
#include "proxel/strings.hpp"

namespace proxel::c_api {

StringIndexOptions string_options_of(const proxel_string_options* given);

/// Strings are about to change: what was planned before is not recorded any more.
template <typename Handle>
auto& changing(Handle* index) {
  auto& kept = *handled(index, "index").kept;
  ++kept.changes;
  return kept.index;
}

}  // namespace proxel::c_api
