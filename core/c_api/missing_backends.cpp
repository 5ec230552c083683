// Functions of backends that this build does not have.
#include "c_api/boundary.hpp"
#include "proxel/device.hpp"

using namespace proxel;
using namespace proxel::c_api;

namespace {

[[maybe_unused]] proxel_status missing(BackendKind kind) {
  return guarded([&] {
    for (const Backend* backend : backends())
      if (backend->kind() == kind) require(backend->available(), std::string(to_string(kind)));
  });
}

}  // namespace

#ifndef PROXEL_WITH_VULKAN
proxel_status proxel_vulkan_wrap_device(const proxel_vulkan_device*, proxel_device**) {
  return missing(BackendKind::vulkan);
}
proxel_status proxel_vulkan_wrap_buffer(proxel_device*, VkBuffer_T*, uint64_t, proxel_buffer**) {
  return missing(BackendKind::vulkan);
}
proxel_status proxel_vulkan_buffer_usage(uint64_t, uint32_t*) { return missing(BackendKind::vulkan); }
proxel_status proxel_vulkan_record_into(proxel_device*, VkCommandBuffer_T*, proxel_recording**) {
  return missing(BackendKind::vulkan);
}
proxel_status proxel_vulkan_record_into_timed(proxel_device*, VkCommandBuffer_T*, VkQueryPool_T*, uint32_t, uint32_t,
                                              proxel_recording**) {
  return missing(BackendKind::vulkan);
}
proxel_status proxel_vulkan_recording_timed(const proxel_recording*, const char* const**, uint64_t*) {
  return missing(BackendKind::vulkan);
}
proxel_status proxel_vulkan_semaphore_of(const proxel_semaphore*, VkSemaphore_T**) {
  return missing(BackendKind::vulkan);
}
proxel_status proxel_vulkan_wishes_create(proxel_vulkan_get_proc_addr, VkInstance_T*, VkPhysicalDevice_T*,
                                          proxel_vulkan_wishes**) {
  return missing(BackendKind::vulkan);
}
uint64_t proxel_vulkan_wishes_count(const proxel_vulkan_wishes*) { return 0; }
proxel_status proxel_vulkan_wishes_get(const proxel_vulkan_wishes*, uint64_t, proxel_vulkan_wish*) {
  return missing(BackendKind::vulkan);
}
void proxel_vulkan_wishes_destroy(proxel_vulkan_wishes*) {}
#endif

#ifndef PROXEL_WITH_CUDA
proxel_status proxel_cuda_wrap_device(int, proxel_device**) { return missing(BackendKind::cuda); }
proxel_status proxel_cuda_wrap_buffer(proxel_device*, void*, uint64_t, proxel_buffer**) {
  return missing(BackendKind::cuda);
}
proxel_status proxel_cuda_record_into(proxel_device*, void*, proxel_recording**) { return missing(BackendKind::cuda); }
proxel_status proxel_cuda_signal(const proxel_semaphore*, void*, uint64_t) { return missing(BackendKind::cuda); }
proxel_status proxel_cuda_wait(const proxel_semaphore*, void*, uint64_t) { return missing(BackendKind::cuda); }
#endif
