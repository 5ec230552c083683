// Searches that are planned once and recorded over buffers of the caller's.
#include <fmt/format.h>

#include "c_api/arguments.hpp"
#include "c_api/names.hpp"
#include "c_api/recording.hpp"

using namespace proxel;
using namespace proxel::c_api;

namespace {

// The bits are the same in both interfaces.
static_assert(PROXEL_USAGE_STORAGE == usage_storage && PROXEL_USAGE_DEVICE_ADDRESS == usage_device_address &&
              PROXEL_USAGE_TRANSFER_SOURCE == usage_transfer_source &&
              PROXEL_USAGE_TRANSFER_DESTINATION == usage_transfer_destination);

proxel_requirement requirement(const BufferRequirement& needed) {
  return {needed.bytes, needed.alignment, needed.usage};
}

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
  return description;
}

SearchBuffers buffers_of(const proxel_search_buffers& given, const Device& device) {
  const auto view = [&](const proxel_buffer_view& one, const char* name) { return view_of(one, device, name); };
  SearchBuffers buffers;
  buffers.queries = view(given.queries, "queries buffer");
  buffers.scratch = view(given.scratch, "scratch buffer");
  buffers.indices = view(given.indices, "indices buffer");
  buffers.distances = view(given.distances, "distances buffer");
  buffers.filter = view(given.filter, "filter buffer");
  buffers.after.distances = view(given.after_distances, "after distances buffer");
  buffers.after.indices = view(given.after_indices, "after indices buffer");
  if (given.after_stride > UINT32_MAX)
    refuse("after stride", fmt::format("{} was given, 1 to {} is allowed", given.after_stride, UINT32_MAX));
  buffers.after.stride = static_cast<std::uint32_t>(limit_or(given.after_stride, 1));
  return buffers;
}

}  // namespace

proxel_status proxel_index_plan(proxel_index* index, uint32_t queries, uint64_t k, const char* metric,
                                const proxel_plan_options* options, proxel_plan** plan) {
  return guarded([&] {
    required(plan, "plan");
    const auto& held = required(index, "index").held;
    const proxel_plan_options given = read_struct(options, "options");
    const PlanOptions with{filter_named(given.filter), is_set(given.continued, "continued")};
    auto search = held->index.plan(queries, k, metric_named(metric), with);
    *plan = new proxel_plan{held->device, held, held->changes, std::move(search), nullptr, {}};
  });
}

proxel_status proxel_rows_plan(proxel_device* device, const proxel_rows_description* description,
                               proxel_plan** plan) {
  return guarded([&] {
    required(plan, "plan");
    const auto& on = required(device, "device").device;
    const proxel_rows_description given = read_required(description, "description");
    const bool boxes = find_name(given.method, "method", {"scan", "bvh"}) == 1;
    const std::uint64_t stride = limit_or(given.row_stride, given.dimensions);
    if (stride > UINT32_MAX)
      refuse("row_stride", fmt::format("{} was given, up to {} is allowed", stride, UINT32_MAX));
    *plan = new proxel_plan{
        on, nullptr, 0, nullptr,
        (boxes ? plan_bvh : plan_scan)(*on, description_of(given), static_cast<std::uint32_t>(stride)), {}};
  });
}

proxel_status proxel_plan_get_requirements(const proxel_plan* plan, proxel_requirements* requirements) {
  return guarded([&] {
    required(plan, "plan");
    const SearchRequirements needed =
        plan->over_rows ? plan->over_rows->requirements() : plan->search->requirements();
    proxel_requirements told{};
    told.queries = requirement(needed.queries);
    told.scratch = requirement(needed.scratch);
    told.indices = requirement(needed.indices);
    told.distances = requirement(needed.distances);
    told.filter = requirement(needed.filter);
    told.after_distances = requirement(needed.after_distances);
    told.after_indices = requirement(needed.after_indices);
    told.rows = requirement(plan->over_rows ? plan->over_rows->rows_requirement() : BufferRequirement{});
    write_struct(requirements, told, "requirements");
  });
}

proxel_status proxel_plan_record(const proxel_plan* plan, proxel_recording* recording,
                                 const proxel_search_buffers* buffers) {
  return guarded([&] {
    required(plan, "plan");
    Recording& into = writable(recording);
    if (recording->device != plan->device)
      refuse("recording", fmt::format("is of {}, the plan is of {}", recording->device->info().id,
                                      plan->device->info().id));
    if (plan->held && plan->held->changes != plan->changes)
      refuse("plan", "was made before rows of its index were added, removed or compacted; plan the search again");
    const proxel_search_buffers given = read_required(buffers, "buffers");
    const SearchBuffers over = buffers_of(given, *plan->device);
    if (plan->over_rows)
      plan->over_rows->record(into, view_of(given.rows, *plan->device, "rows buffer"), over);
    else
      plan->search->record(into, over);
  });
}

proxel_status proxel_plan_get_rungs(proxel_plan* plan, const proxel_rung** rungs, uint64_t* count) {
  return guarded([&] {
    required(rungs, "rungs");
    required(count, "count");
    required(plan, "plan");
    const auto& kept = plan->times.keep(plan->search ? plan->search->rungs() : std::vector<RungCount>{});
    *rungs = kept.data();
    *count = kept.size();
  });
}

void proxel_plan_destroy(proxel_plan* plan) { delete plan; }
