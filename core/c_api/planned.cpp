#include "c_api/planned.hpp"

#include <fmt/format.h>

#include "c_api/arguments.hpp"
#include "c_api/handles.hpp"

namespace proxel::c_api {
namespace {

// The bits are the same in both interfaces.
static_assert(PROXEL_USAGE_STORAGE == usage_storage && PROXEL_USAGE_DEVICE_ADDRESS == usage_device_address &&
              PROXEL_USAGE_TRANSFER_SOURCE == usage_transfer_source &&
              PROXEL_USAGE_TRANSFER_DESTINATION == usage_transfer_destination);

struct BufferSlot {
  const char* argument;
  proxel_buffer_view proxel_search_buffers::* given;
  BufferView SearchBuffers::* buffer;
  proxel_requirement proxel_requirements::* told;
  BufferRequirement SearchRequirements::* needed;
};

#define PROXEL_SLOT(name, argument) \
  {argument, &proxel_search_buffers::name, &SearchBuffers::name, &proxel_requirements::name, &SearchRequirements::name}
constexpr BufferSlot slots[] = {
    PROXEL_SLOT(queries, "queries buffer"),     PROXEL_SLOT(query_offsets, "query offsets buffer"),
    PROXEL_SLOT(scratch, "scratch buffer"),     PROXEL_SLOT(indices, "indices buffer"),
    PROXEL_SLOT(distances, "distances buffer"), PROXEL_SLOT(filter, "filter buffer"),
    PROXEL_SLOT(count, "count buffer"),         PROXEL_SLOT(offsets, "offsets buffer"),
    PROXEL_SLOT(rows, "rows buffer"),           PROXEL_SLOT(values, "values buffer"),
    PROXEL_SLOT(payload, "payload buffer"),     PROXEL_SLOT(self, "self buffer"),
};
#undef PROXEL_SLOT

proxel_requirement told(const BufferRequirement& needed) { return {needed.bytes, needed.alignment, needed.usage}; }

}  // namespace

proxel_requirements requirements_of(const Plan& plan) {
  const SearchRequirements needed = plan.requirements();
  proxel_requirements requirements{};
  for (const BufferSlot& slot : slots) requirements.*slot.told = told(needed.*slot.needed);
  requirements.after_distances = told(needed.after_distances);
  requirements.after_indices = told(needed.after_indices);
  return requirements;
}

SearchBuffers buffers_of(const proxel_search_buffers& given, const Device& device) {
  SearchBuffers buffers;
  for (const BufferSlot& slot : slots) buffers.*slot.buffer = view_of(given.*slot.given, device, slot.argument);
  buffers.after.distances = view_of(given.after_distances, device, "after distances buffer");
  buffers.after.indices = view_of(given.after_indices, device, "after indices buffer");
  if (given.after_stride > UINT32_MAX)
    refuse("after stride", fmt::format("{} was given, 1 to {} is allowed", given.after_stride, UINT32_MAX));
  buffers.after.stride = static_cast<std::uint32_t>(limit_or(given.after_stride, 1));
  return buffers;
}

void PlanOwner::check() const {
  if (changes_ && *changes_ != then_)
    refuse("plan", "was made before its index was changed by adding, removing or compacting; plan the search again");
}

proxel_plan* new_plan(std::shared_ptr<Device> device, std::unique_ptr<Plan> plan, PlanOwner owner) {
  return make_handle<proxel_plan>(device, device, std::move(owner), std::move(plan));
}

}  // namespace proxel::c_api
