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

/// Plans by a member function of the index, and keeps it.
template <typename Handle, typename Plan>
proxel_status plan_strings(Handle* index, proxel_plan** plan, const Plan& make) {
  return guarded([&] {
    required(plan, "plan");
    const auto& kept = required(index, "index").kept;
    auto search = make(kept->index);
    *plan = new_plan(kept->device,
                     std::make_unique<StringPlan>(PlanOwner(kept, &kept->changes), std::move(search)));
  });
}

}  // namespace proxel::c_api
