#pragma once

#include "c_api/handles.hpp"
#include "c_api/names.hpp"
#include "c_api/planned.hpp"
#include "proxel/strings.hpp"

namespace proxel::c_api {

StringIndexOptions string_options_of(const proxel_string_options* given);

/// Strings are about to change: what was planned before is not recorded any more.
template <typename Handle>
auto& changing(Handle* index) {
  auto& kept = *required(index, "index").kept;
  ++kept.changes;
  return kept.index;
}

/// A plan that keeps the index.
template <typename Handle>
proxel_plan* plan_strings(const Handle& index, std::unique_ptr<PlannedStringSearch> search, std::uint32_t queries,
                          std::uint32_t longest_query, std::uint64_t k) {
  const auto& kept = index.kept;
  return new_plan(kept->device, std::make_unique<StringPlan>(PlanOwner(kept, &kept->changes), std::move(search),
                                                             queries, longest_query, k));
}

}  // namespace proxel::c_api
