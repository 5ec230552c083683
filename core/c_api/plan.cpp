// Searches that are planned once and recorded over buffers of the caller's.
#include <fmt/format.h>

#include "c_api/arguments.hpp"
#include "c_api/names.hpp"
#include "c_api/planned.hpp"
#include "c_api/recording.hpp"
#include "c_api/rows_plan.hpp"

using namespace proxel;
using namespace proxel::c_api;

namespace {

SearchDescription description_of(const proxel_rows_description& given) {
  SearchDescription description;
  description.metric = metric_named(given.metric);
  description.rows = given.rows;
  description.dimensions = given.dimensions;
  description.queries = given.queries;
  description.k = given.k;
  description.scratch_limit = limit_or(given.scratch_limit, description.scratch_limit);
  description.filter = filter_named(given.filter);
  description.continued = is_set(given.continued, "continued");
  description.counted = is_set(given.counted, "counted");
  return description;
}

std::uint32_t stride_of(std::uint64_t given, std::uint32_t dimensions) {
  const std::uint64_t stride = limit_or(given, dimensions);
  if (stride > UINT32_MAX) refuse("row_stride", fmt::format("{} was given, up to {} is allowed", stride, UINT32_MAX));
  return static_cast<std::uint32_t>(stride);
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

PlanOptions options_of(const proxel_plan_options* options) {
  const proxel_plan_options given = read_struct(options, "options");
  return {filter_named(given.filter), is_set(given.continued, "continued"), is_set(given.counted, "counted")};
}

}  // namespace

proxel_status proxel_index_plan(proxel_index* index, uint32_t queries, uint64_t k, const char* metric,
                                const proxel_plan_options* options, proxel_plan** plan) {
  return give_plan(index, plan,
                   [&](Index& own) { return own.plan(queries, k, metric_named(metric), options_of(options)); });
}

proxel_status proxel_index_plan_range(proxel_index* index, uint32_t queries, float radius, const char* metric,
                                      const proxel_plan_options* options, proxel_plan** plan) {
  return give_plan(index, plan, [&](Index& own) {
    return own.plan_range(queries, radius, metric_named(metric), options_of(options));
  });
}

proxel_status proxel_rows_plan(proxel_device* device, const proxel_rows_description* description, proxel_plan** plan) {
  return guarded([&] {
    required(plan, "plan");
    const auto& on = handled(device, "device").device;
    const proxel_rows_description given = read_required(description, "description");
    const bool boxes = find_name(given.method, "method", {"scan", "bvh"}) == 1;
    const std::uint32_t stride = stride_of(given.row_stride, given.dimensions);
    *plan = new_plan(on, (boxes ? plan_bvh : plan_scan)(*on, description_of(given), stride));
  });
}

proxel_status proxel_range_plan(proxel_device* device, const proxel_range_description* description,
                                proxel_plan** plan) {
  return guarded([&] {
    required(plan, "plan");
    const auto& on = handled(device, "device").device;
    const proxel_range_description given = read_required(description, "description");
    RangeDescription wanted;
    wanted.metric = metric_named(given.metric);
    wanted.rows = given.rows;
    wanted.dimensions = given.dimensions;
    wanted.queries = given.queries;
    wanted.radius = static_cast<float>(given.radius);
    wanted.scratch_limit = limit_or(given.scratch_limit, wanted.scratch_limit);
    wanted.filter = filter_named(given.filter);
    *plan = new_plan(on, plan_range(*on, wanted, stride_of(given.row_stride, given.dimensions)));
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
    const auto& kept = own.times.keep(own.plan->rungs());
    *rungs = kept.data();
    *count = kept.size();
  });
}

void proxel_plan_destroy(proxel_plan* plan) { destroy(plan); }
