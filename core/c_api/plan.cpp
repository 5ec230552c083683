// Searches that are planned once and recorded over buffers of the caller's.
#include <fmt/format.h>

#include "c_api/answer.hpp"
#include "c_api/arguments.hpp"
#include "c_api/held_index.hpp"
#include "c_api/names.hpp"
#include "c_api/planned.hpp"
#include "c_api/recording.hpp"
#include "c_api/rows_plan.hpp"
#include "index/decorated_plans.hpp"
#include "index/without_self.hpp"

using namespace proxel;
using namespace proxel::c_api;

namespace {

constexpr Known known_of_rows{option_metric | option_filter | options_of_nearest, "plans", "rows"};
constexpr Known known_of_rows_within{option_metric | option_filter, "range plans", "rows"};

// @tparam Description  of a search or a range search
template <typename Description>
Description describe(const proxel_rows_description& rows, std::uint32_t queries, const PlanRequest& with) {
  Description description;
  description.metric = with.metric;
  description.rows = rows.rows;
  description.dimensions = narrow(rows.dimensions, "dimensions");
  description.queries = queries;
  description.scratch_limit = limit_or(rows.scratch_limit, description.scratch_limit);
  description.filter = with.options.filter;
  return description;
}

std::uint32_t stride_of(const proxel_rows_description& rows) {
  return narrow(limit_or(rows.row_stride, rows.dimensions), "row_stride");
}

// Gives a plan of rows of the caller's. @param make  plans on the device
template <typename Make>
proxel_status give_rows_plan(proxel_device* device, const proxel_rows_description* rows, proxel_plan** plan,
                             const Make& make) {
  return guarded([&] {
    required(plan, "plan");
    const auto& on = handled(device, "device").device;
    const proxel_rows_description given = read_required(rows, "rows");
    *plan = new_plan(on, make(*on, given, find_name(given.method, "method", {"scan", "bvh"}) == 1));
  });
}

using MadePlan = std::unique_ptr<Plan>;

// Gives a plan of an index of any kind. @param make  plans by a member function of the index
template <typename Make>
proxel_status give_plan(proxel_index* index, proxel_plan** plan, const char* what, const Make& make) {
  return guarded([&] {
    required(plan, "plan");
    const std::shared_ptr<HeldIndex>& held = handled(index, "index");
    *plan = new_plan(held->devices[0], with_index<MadePlan>(*held, what, make), PlanOwner(held, held->changes));
  });
}

// Calls with what a kind's plans take. @param wanted  k or the radius
template <typename Own, typename Wanted, typename Make>
MadePlan plan_with(std::uint32_t queries, Wanted wanted, const PlanRequest& with, const Make& make) {
  if constexpr (OfVectors<Own>)
    return make(queries, wanted, with.metric, with.options);
  else if constexpr (std::is_same_v<QueriesOf<Own>, MatrixView<float>>)
    return make(queries, wanted, with.fraction);
  else if constexpr (OfPermutations<Own>)
    return make(queries, with.longest_query, wanted, with.fraction);
  else
    return make(queries, with.longest_query, wanted);
}

proxel_status record(const proxel_plan* plan, proxel_recording* recording, const proxel_search_buffers* buffers,
                     SearchPart part) {
  return guarded([&] {
    const HeldPlan& own = handled(plan, "plan");
    const HeldRecording& into = writable(recording);
    if (into.device != own.device)
      refuse("recording", fmt::format("is of {}, the plan is of {}", into.device->info().id, own.device->info().id));
    const proxel_search_buffers given = read_required(buffers, "buffers");
    own.owner.check();
    own.plan->record(*into.recording, buffers_of(given, *own.device), part);
  });
}

}  // namespace

proxel_status proxel_index_plan(proxel_index* index, uint32_t queries, uint64_t k, const proxel_plan_options* options,
                                proxel_plan** plan) {
  return give_plan(index, plan, "plans", [&]<WithPlans Own>(Own& own) {
    return plan_with<Own>(queries, k, {options, known_to(own, "plans")},
                          [&](const auto&... given) { return own.plan(given...); });
  });
}

proxel_status proxel_index_plan_range(proxel_index* index, uint32_t queries, float radius,
                                      const proxel_plan_options* options, proxel_plan** plan) {
  return give_plan(index, plan, "plans", [&]<WithPlans Own>(Own& own) {
    return plan_with<Own>(queries, radius, {options, known_to(own, "range plans", options_of_nearest)},
                          [&](const auto&... given) { return own.plan_range(given...); });
  });
}

proxel_status proxel_index_plan_distances(proxel_index* index, uint32_t queries, const proxel_plan_options* options,
                                          proxel_plan** plan) {
  return give_plan(index, plan, "plans of all distances", [&](std::same_as<SignatureIndex> auto& own) {
    const PlanRequest with(options, known_to(own, "plans of all distances", options_of_nearest));
    return own.plan_distances(queries, with.longest_query);
  });
}

proxel_status proxel_rows_plan(proxel_device* device, const proxel_rows_description* rows, uint32_t queries, uint64_t k,
                               const proxel_plan_options* options, proxel_plan** plan) {
  return give_rows_plan(device, rows, plan, [&](Device& on, const proxel_rows_description& given, bool boxes) {
    const PlanRequest with(options, known_of_rows);
    auto wanted = describe<SearchDescription>(given, queries, with);
    const bool exclude_self = with.options.exclude_self;
    wanted.k = exclude_self ? index::wider_by_self(k) : k;
    wanted.continued = with.options.continued;
    wanted.counted = with.options.counted;
    wanted.ordered = with.options.ordered;
    auto planned = (boxes ? plan_bvh : plan_scan)(on, wanted, stride_of(given));
    return exclude_self ? index::leaving_self_out(on, wanted, std::move(planned)) : std::move(planned);
  });
}

proxel_status proxel_rows_plan_range(proxel_device* device, const proxel_rows_description* rows, uint32_t queries,
                                     float radius, const proxel_plan_options* options, proxel_plan** plan) {
  return give_rows_plan(device, rows, plan, [&](Device& on, const proxel_rows_description& given, bool boxes) {
    if (boxes) throw Error(ErrorCode::unsupported, "method", "bvh finds the nearest; scan finds rows within a radius");
    auto wanted = describe<RangeDescription>(given, queries, PlanRequest(options, known_of_rows_within));
    wanted.radius = radius;
    return plan_range(on, wanted, stride_of(given));
  });
}

proxel_status proxel_selection_plan(proxel_device* device, const proxel_selection_description* description,
                                    proxel_plan** plan) {
  return guarded([&] {
    required(plan, "plan");
    const auto& on = handled(device, "device").device;
    const proxel_selection_description given = read_required(description, "description");
    SelectionDescription wanted;
    wanted.rows = given.rows;
    wanted.columns = given.columns;
    wanted.row_stride = given.row_stride;
    wanted.k = given.k;
    wanted.method = selection_named(given.method, "method");
    wanted.scratch_limit = limit_or(given.scratch_limit, wanted.scratch_limit);
    wanted.largest_first = is_set(given.largest_first, "largest_first");
    wanted.sorted = !is_set(given.unsorted, "unsorted");
    wanted.has_payload = is_set(given.has_payload, "has_payload");
    *plan = new_plan(on, plan_selection(*on, wanted));
  });
}

proxel_status proxel_plan_get_requirements(const proxel_plan* plan, proxel_requirements* requirements) {
  return guarded([&] { write_struct(requirements, requirements_of(*handled(plan, "plan").plan), "requirements"); });
}

proxel_status proxel_plan_get_info(const proxel_plan* plan, proxel_plan_info* info) {
  return guarded([&] {
    const PlanInfo known = handled(plan, "plan").plan->info();
    write_struct(info,
                 {.struct_size = 0,
                  .method = known.method.empty() ? nullptr : known.method.data(),  // of a literal
                  .distance_stride = known.distance_stride},
                 "info");
  });
}

proxel_status proxel_plan_record(const proxel_plan* plan, proxel_recording* recording,
                                 const proxel_search_buffers* buffers) {
  return record(plan, recording, buffers, SearchPart::whole);
}

proxel_status proxel_plan_record_count(const proxel_plan* plan, proxel_recording* recording,
                                       const proxel_search_buffers* buffers) {
  return record(plan, recording, buffers, SearchPart::count);
}

proxel_status proxel_plan_record_fill(const proxel_plan* plan, proxel_recording* recording,
                                      const proxel_search_buffers* buffers) {
  return record(plan, recording, buffers, SearchPart::fill);
}

proxel_status proxel_plan_get_rungs(proxel_plan* plan, const proxel_rung** rungs, uint64_t* count) {
  return guarded([&] {
    required(rungs, "rungs");
    required(count, "count");
    HeldPlan& own = handled(plan, "plan");
    own.named_rungs = own.plan->rungs();
    own.rungs = rungs_of(own.named_rungs);
    *rungs = own.rungs.data();
    *count = own.rungs.size();
  });
}

void proxel_plan_destroy(proxel_plan* plan) { destroy(plan); }
