// The C interface to a caller's Vulkan device (proxel/c/vulkan.h).
#include <fmt/format.h>

#include "c_api/handles.hpp"
#include "c_api/names.hpp"
#include "c_api/structs.hpp"
#include "proxel/vulkan.hpp"

using namespace proxel;
using namespace proxel::c_api;

proxel_status proxel_vulkan_wrap_device(const proxel_vulkan_device* handles, proxel_device** device) {
  return guarded([&] {
    required(device, "device");
    const proxel_vulkan_device given = read_required(handles, "handles");
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
    if (given.reserved != 0)
      throw Error(ErrorCode::unsupported, "reserved", "is not zero, and this version of proxel knows no use of it");
    wrapped.pipeline_cache = given.pipeline_cache;
    *device = new proxel_device{vulkan::wrap_device(wrapped)};
  });
}

proxel_status proxel_vulkan_wrap_buffer(proxel_device* device, VkBuffer_T* vk_buffer, uint64_t bytes,
                                        proxel_buffer** buffer) {
  return guarded([&] {
    required(buffer, "buffer");
    const auto& on = required(device, "device").device;
    *buffer = new proxel_buffer{on, vulkan::wrap_buffer(*on, &required(vk_buffer, "vk_buffer"), bytes)};
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
    const auto& on = required(device, "device").device;
    *recording = new proxel_recording{on, vulkan::record_into(*on, command_buffer)};
  });
}
