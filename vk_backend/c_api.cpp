// The C interface to a caller's Vulkan device (proxel/c/vulkan.h).
#include <fmt/format.h>

#include "c_api/handles.hpp"
#include "c_api/names.hpp"
#include "c_api/structs.hpp"
#include "proxel/vulkan.hpp"

using namespace proxel;
using namespace proxel::c_api;

namespace proxel::c_api {

struct WishList {
  std::vector<vulkan::Wish> list;
};

template <>
struct ObjectOf<proxel_vulkan_wishes> : ObjectOfKind<WishList, HandleKind::vulkan_wishes> {};

}  // namespace proxel::c_api

namespace {

constexpr bool same(const vulkan::Edge& edge, std::uint32_t stages, std::uint32_t access) {
  return edge.stages == stages && edge.access == access;
}
static_assert(same(vulkan::edges::inputs, PROXEL_VULKAN_INPUTS_STAGES, PROXEL_VULKAN_INPUTS_ACCESS));
static_assert(same(vulkan::edges::written, PROXEL_VULKAN_WRITTEN_STAGES, PROXEL_VULKAN_WRITTEN_ACCESS));
static_assert(same(vulkan::edges::results, PROXEL_VULKAN_RESULTS_STAGES, PROXEL_VULKAN_RESULTS_ACCESS));
static_assert(same(vulkan::edges::rungs, PROXEL_VULKAN_RUNGS_STAGES, PROXEL_VULKAN_RUNGS_ACCESS));

// The member of proxel_vulkan_device that stands for a flag.
const char* member_of(bool vulkan::DeviceHandles::* flag) {
  using Handles = vulkan::DeviceHandles;
  if (flag == &Handles::buffer_device_address) return "buffer_device_address";
  if (flag == &Handles::cooperative_matrix) return "cooperative_matrix";
  if (flag == &Handles::debug_utils) return "debug_utils";
  if (flag == &Handles::shader_float64) return "shader_float64";
  if (flag == &Handles::shader_int8) return "shader_int8";
  if (flag == &Handles::shader_float16) return "shader_float16";
  if (flag == &Handles::external_memory) return "external_memory";
  if (flag == &Handles::external_semaphore) return "external_semaphore";
  if (flag == &Handles::external_memory_host) return "external_memory_host";
  if (flag == &Handles::host_query_reset) return "host_query_reset";
  throw Error(ErrorCode::backend_failure, "wishes", "a wish sets a flag that the C interface does not know");
}

}  // namespace

proxel_status proxel_vulkan_wishes_create(proxel_vulkan_get_proc_addr get_instance_proc_addr, VkInstance_T* instance,
                                          VkPhysicalDevice_T* physical_device, proxel_vulkan_wishes** wishes) {
  return guarded([&] {
    required(wishes, "wishes");
    *wishes = make_lone_handle<proxel_vulkan_wishes>(vulkan::wishes(get_instance_proc_addr, instance, physical_device));
  });
}

uint64_t proxel_vulkan_wishes_count(const proxel_vulkan_wishes* wishes) {
  return read_handle(wishes, "wishes", [](const WishList& own) { return own.list.size(); });
}

proxel_status proxel_vulkan_wishes_get(const proxel_vulkan_wishes* wishes, uint64_t position,
                                       proxel_vulkan_wish* wish) {
  return guarded([&] {
    const auto& list = handled(wishes, "wishes").list;
    if (position >= list.size())
      refuse("position", fmt::format("{} was given, there are {} wishes", position, list.size()));
    const vulkan::Wish& one = list[position];
    write_struct(wish,
                 {.struct_size = 0,
                  .name = one.name.data(),  // ends with a null byte: it is a literal, as are the next two
                  .structure = one.structure.empty() ? nullptr : one.structure.data(),
                  .purpose = one.purpose.data(),
                  .refused = one.offered ? nullptr : one.offered.reason.c_str(),
                  .member = member_of(one.enabled),
                  .required = one.required},
                 "wish");
  });
}

void proxel_vulkan_wishes_destroy(proxel_vulkan_wishes* wishes) { destroy(wishes); }

proxel_status proxel_vulkan_wrap_device(const proxel_vulkan_device* handles, proxel_device** device) {
  return guarded([&] {
    required(device, "device");
    const proxel_vulkan_device given = read_required(handles, "handles");
    if (given.reserved != 0) refuse("reserved", fmt::format("{} was given, it has to be 0", given.reserved));
    vulkan::DeviceHandles wrapped;
    wrapped.instance = given.instance;
    wrapped.physical_device = given.physical_device;
    wrapped.device = given.device;
    wrapped.queue_family = given.queue_family;
    wrapped.queue = given.queue;
    wrapped.get_instance_proc_addr = given.get_instance_proc_addr;
    wrapped.buffer_device_address = is_set(given.buffer_device_address, "buffer_device_address");
    wrapped.cooperative_matrix = is_set(given.cooperative_matrix, "cooperative_matrix");
    wrapped.debug_utils = is_set(given.debug_utils, "debug_utils");
    wrapped.shader_float64 = is_set(given.shader_float64, "shader_float64");
    wrapped.external_memory = is_set(given.external_memory, "external_memory");
    wrapped.external_semaphore = is_set(given.external_semaphore, "external_semaphore");
    wrapped.shader_int8 = is_set(given.shader_int8, "shader_int8");
    wrapped.external_memory_host = is_set(given.external_memory_host, "external_memory_host");
    wrapped.shader_float16 = is_set(given.shader_float16, "shader_float16");
    wrapped.host_query_reset = is_set(given.host_query_reset, "host_query_reset");
    wrapped.pipeline_cache = given.pipeline_cache;
    give_device(vulkan::wrap_device(wrapped), device);
  });
}

proxel_status proxel_vulkan_wrap_buffer(proxel_device* device, VkBuffer_T* vk_buffer, uint64_t bytes,
                                        proxel_buffer** buffer) {
  return guarded([&] {
    required(buffer, "buffer");
    const auto& on = handled(device, "device").device;
    *buffer = make_handle<proxel_buffer>(on, on, vulkan::wrap_buffer(*on, &required(vk_buffer, "vk_buffer"), bytes));
  });
}

proxel_status proxel_vulkan_buffer_usage(uint64_t usage, uint32_t* flags) {
  return guarded([&] {
    if (usage > UINT32_MAX) refuse("usage", fmt::format("{:#x} was given, of which bits are no PROXEL_USAGE", usage));
    required(flags, "flags") = vulkan::buffer_usage(static_cast<std::uint32_t>(usage));
  });
}

proxel_status proxel_vulkan_record_into(proxel_device* device, VkCommandBuffer_T* command_buffer,
                                        proxel_recording** recording) {
  return guarded([&] {
    required(recording, "recording");
    const auto& on = handled(device, "device").device;
    *recording = make_handle<proxel_recording>(on, on, vulkan::record_into(*on, command_buffer));
  });
}

proxel_status proxel_vulkan_record_into_timed(proxel_device* device, VkCommandBuffer_T* command_buffer,
                                              VkQueryPool_T* pool, uint32_t first, uint32_t count,
                                              proxel_recording** recording) {
  return guarded([&] {
    required(recording, "recording");
    const auto& on = handled(device, "device").device;
    *recording = make_handle<proxel_recording>(on, on, vulkan::record_into(*on, command_buffer, {pool, first, count}));
  });
}

proxel_status proxel_vulkan_recording_timed(const proxel_recording* recording, const char* const** names,
                                            uint64_t* count) {
  return guarded([&] {
    const auto* timed = dynamic_cast<const vulkan::TimedRecording*>(handled(recording, "recording").recording.get());
    if (!timed) refuse("recording", "is not one of proxel_vulkan_record_into_timed()");
    required(names, "names");
    required(count, "count");
    *names = timed->timed().data();
    *count = timed->timed().size();
  });
}

proxel_status proxel_vulkan_semaphore_of(const proxel_semaphore* semaphore, VkSemaphore_T** vk_semaphore) {
  return guarded([&] {
    const HeldSemaphore& own = handled(semaphore, "semaphore");
    required(vk_semaphore, "vk_semaphore") = vulkan::semaphore_of(*own.semaphore);
  });
}
