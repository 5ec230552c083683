#include "vulkan_faults.hpp"

#include <array>
#include <atomic>
#include <set>
#include <string_view>
#include <type_traits>

#include "cooperative_matrix_types.hpp"
#include "heap.hpp"
#include "host_allocations.hpp"

// The engine of tests/embedding counts allocations for tests of its own.
NotCounted::NotCounted() = default;
NotCounted::~NotCounted() = default;

namespace proxel::faults {
namespace {

enum May : unsigned { memory = 1, device_memory = 2, lost = 4, map = 8, pool = 16, handle = 32, many = 64, host = 128 };

// What each function may return, by the specification.
// clang-format off
#define RETURN_RESULTS(F)                                                                            \
  F(vkCreateBuffer, memory) F(vkCreateImage, memory) F(vkCreateImageView, memory)                    \
  F(vkCreateShaderModule, memory) F(vkCreatePipelineCache, memory) F(vkGetPipelineCacheData, memory) \
  F(vkCreateComputePipelines, memory) F(vkCreatePipelineLayout, memory)                              \
  F(vkCreateDescriptorSetLayout, memory) F(vkCreateDescriptorPool, memory)                           \
  F(vkAllocateDescriptorSets, memory | pool) F(vkCreateCommandPool, memory)                          \
  F(vkAllocateCommandBuffers, memory) F(vkResetCommandPool, device_memory)                           \
  F(vkBeginCommandBuffer, memory) F(vkEndCommandBuffer, memory) F(vkCreateFence, memory)             \
  F(vkResetFences, device_memory) F(vkWaitForFences, memory | lost) F(vkCreateQueryPool, memory)     \
  F(vkGetQueryPoolResults, memory | lost) F(vkCreateSemaphore, memory) F(vkSignalSemaphore, memory)  \
  F(vkWaitSemaphores, memory | lost) F(vkAllocateMemory, memory | handle)                            \
  F(vkMapMemory, memory | map) F(vkBindBufferMemory, memory) F(vkBindImageMemory, memory)            \
  F(vkQueueSubmit, memory | lost) F(vkDeviceWaitIdle, memory | lost) F(vkQueueWaitIdle, memory | lost) \
  F(vkGetMemoryFdKHR, host | many) F(vkGetSemaphoreFdKHR, host | many)                               \
  F(vkImportSemaphoreFdKHR, host | handle) F(vkEnumerateDeviceExtensionProperties, memory)           \
  F(vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR, memory)
// clang-format on

// What one makes, another destroys; what is in a pool goes with the pool.
// clang-format off
#define MAKE_OBJECTS(F)                                                                              \
  F(vkCreateBuffer) F(vkCreateImage) F(vkCreateImageView) F(vkCreateShaderModule)                    \
  F(vkCreatePipelineCache) F(vkCreateComputePipelines) F(vkCreatePipelineLayout)                     \
  F(vkCreateDescriptorSetLayout) F(vkCreateDescriptorPool) F(vkCreateCommandPool) F(vkCreateFence)   \
  F(vkCreateQueryPool) F(vkCreateSemaphore) F(vkAllocateMemory)
#define DESTROY_OBJECTS(F)                                                                           \
  F(vkDestroyBuffer) F(vkDestroyImage) F(vkDestroyImageView) F(vkDestroyShaderModule)                \
  F(vkDestroyPipelineCache) F(vkDestroyPipeline) F(vkDestroyPipelineLayout)                          \
  F(vkDestroyDescriptorSetLayout) F(vkDestroyDescriptorPool) F(vkDestroyCommandPool)                 \
  F(vkDestroyFence) F(vkDestroyQueryPool) F(vkDestroySemaphore) F(vkFreeMemory)
// clang-format on

// The rest.
// clang-format off
#define CANNOT_FAIL(F)                                                                               \
  F(vkGetPhysicalDeviceProperties2) F(vkGetPhysicalDeviceFeatures2)                                  \
  F(vkGetPhysicalDeviceMemoryProperties) F(vkGetPhysicalDeviceQueueFamilyProperties)                 \
  F(vkGetPhysicalDeviceExternalBufferProperties) F(vkGetPhysicalDeviceExternalSemaphoreProperties)   \
  F(vkCmdBindPipeline) F(vkCmdBindDescriptorSets) F(vkCmdPushConstants) F(vkCmdDispatch)             \
  F(vkCmdPipelineBarrier) F(vkCmdCopyBuffer) F(vkCmdFillBuffer) F(vkCmdWriteTimestamp)               \
  F(vkCmdResetQueryPool) F(vkResetQueryPool) F(vkCmdBeginDebugUtilsLabelEXT)                         \
  F(vkCmdEndDebugUtilsLabelEXT)                                                                      \
  F(vkUpdateDescriptorSets) F(vkGetBufferMemoryRequirements) F(vkGetImageMemoryRequirements)         \
  F(vkGetBufferDeviceAddress)
// clang-format on

enum Number : std::size_t {
#define NUMBER(name, may) number_##name,
  RETURN_RESULTS(NUMBER)
#undef NUMBER
      functions_in_all
};
constexpr std::array<const char*, functions_in_all> names = {
#define NAME(name, may) #name,
    RETURN_RESULTS(NAME)
#undef NAME
};
constexpr std::array<unsigned, functions_in_all> may_return = {
#define MAY(name, may) may,
    RETURN_RESULTS(MAY)
#undef MAY
};

std::array<std::atomic<std::uint64_t>, functions_in_all> calls{};
std::atomic<std::int64_t> alive{0};
bool armed = false, fired = false, device_lost = false;
std::size_t failing_function = 0;
std::uint64_t failing_call = 0;
VkResult failing_with = VK_SUCCESS;
VkDevice of_device = VK_NULL_HANDLE;
// What was submitted and has not been waited for, and by which thread: each waits for its own.
thread_local std::set<VkFence> running;
std::atomic<bool> freed{false};  // memory, while something ran

// What the call returns instead of doing anything; VK_SUCCESS: it is done.
VkResult injected(std::size_t function) {
  const std::uint64_t call = calls[function]++;
  if (!armed) return VK_SUCCESS;
  if (device_lost && may_return[function] & lost) return VK_ERROR_DEVICE_LOST;
  if (fired || function != failing_function || call != failing_call) return VK_SUCCESS;
  fired = true;
  if (failing_with == VK_ERROR_DEVICE_LOST) {
    device_lost = true;
    vkDeviceWaitIdle(of_device);  // the engine's own: what ran has ended
    running.clear();
  }
  return failing_with;
}

constexpr bool makes_objects(std::string_view name) {
#define IS(one) \
  if (name == #one) return true;
  MAKE_OBJECTS(IS)
#undef IS
  return false;
}

// What has begun and ended with a call that was done.
void follow(VkQueue, std::uint32_t, const VkSubmitInfo*, VkFence fence) { running.insert(fence); }
void follow(VkDevice, std::uint32_t count, const VkFence* fences, VkBool32, std::uint64_t) {
  for (std::uint32_t i = 0; i < count; ++i) running.erase(fences[i]);
}

template <auto* Original, std::size_t number, typename Function>
struct Failing;
template <auto* Original, std::size_t number, typename... Arguments>
struct Failing<Original, number, VkResult(VKAPI_PTR*)(Arguments...)> {
  static VkResult VKAPI_CALL call(Arguments... arguments) {
    const NotOurs driver;
    if (const VkResult failure = injected(number); failure != VK_SUCCESS) return failure;
    const VkResult result = (*Original)(arguments...);
    if (makes_objects(names[number]) && result == VK_SUCCESS) ++alive;
    if constexpr (number == number_vkQueueSubmit || number == number_vkWaitForFences)
      if (result == VK_SUCCESS) follow(arguments...);
    return result;
  }
};

template <auto* Original, typename Function>
struct Destroying;
template <auto* Original, typename Handle>
struct Destroying<Original, void(VKAPI_PTR*)(VkDevice, Handle, const VkAllocationCallbacks*)> {
  static void VKAPI_CALL call(VkDevice device, Handle handle, const VkAllocationCallbacks* callbacks) {
    const NotOurs driver;
    if (handle != VK_NULL_HANDLE) --alive;
    if constexpr (std::is_same_v<Handle, VkDeviceMemory>)
      if (handle != VK_NULL_HANDLE && !running.empty()) freed = true;
    (*Original)(device, handle, callbacks);
  }
};

template <auto* Original, typename Function>
struct Passing;
template <auto* Original, typename Result, typename... Arguments>
struct Passing<Original, Result(VKAPI_PTR*)(Arguments...)> {
  static Result VKAPI_CALL call(Arguments... arguments) {
    const NotOurs driver;
    return (*Original)(arguments...);
  }
};

#define ORIGINAL(name) PFN_##name original_##name = nullptr;
#define ORIGINAL_OF_RESULT(name, may) ORIGINAL(name)
RETURN_RESULTS(ORIGINAL_OF_RESULT)
DESTROY_OBJECTS(ORIGINAL)
CANNOT_FAIL(ORIGINAL)
#undef ORIGINAL
#undef ORIGINAL_OF_RESULT

PFN_vkVoidFunction wrapped(PFN_vkVoidFunction found, std::string_view name) {
  if (!found) return found;
#define WRAP(wanted, ...)                                            \
  if (name == #wanted) {                                             \
    original_##wanted = reinterpret_cast<PFN_##wanted>(found);       \
    return reinterpret_cast<PFN_vkVoidFunction>(&__VA_ARGS__::call); \
  }
#define WRAP_RESULT(wanted, may) WRAP(wanted, Failing<&original_##wanted, number_##wanted, PFN_##wanted>)
#define WRAP_DESTROYING(wanted) WRAP(wanted, Destroying<&original_##wanted, PFN_##wanted>)
#define WRAP_PASSING(wanted) WRAP(wanted, Passing<&original_##wanted, PFN_##wanted>)
  RETURN_RESULTS(WRAP_RESULT)
  DESTROY_OBJECTS(WRAP_DESTROYING)
  CANNOT_FAIL(WRAP_PASSING)
#undef WRAP_RESULT
#undef WRAP_DESTROYING
#undef WRAP_PASSING
#undef WRAP
  return found;
}

PFN_vkVoidFunction VKAPI_CALL get_device_proc_addr(VkDevice device, const char* name) {
  const NotOurs driver;
  of_device = device;
  return wrapped(vkGetDeviceProcAddr(device, name), name);
}

}  // namespace

PFN_vkVoidFunction VKAPI_CALL VulkanFaults::get_instance_proc_addr(VkInstance instance, const char* name) {
  const NotOurs driver;
  if (std::string_view(name) == "vkGetDeviceProcAddr")
    return reinterpret_cast<PFN_vkVoidFunction>(&get_device_proc_addr);
  return wrapped(vkGetInstanceProcAddr(instance, name), name);
}

std::vector<VulkanFaults::Function> VulkanFaults::functions() {
  constexpr std::pair<unsigned, VkResult> errors[] = {{memory | host, VK_ERROR_OUT_OF_HOST_MEMORY},
                                                      {memory | device_memory, VK_ERROR_OUT_OF_DEVICE_MEMORY},
                                                      {lost, VK_ERROR_DEVICE_LOST},
                                                      {map, VK_ERROR_MEMORY_MAP_FAILED},
                                                      {pool, VK_ERROR_OUT_OF_POOL_MEMORY},
                                                      {handle, VK_ERROR_INVALID_EXTERNAL_HANDLE},
                                                      {many, VK_ERROR_TOO_MANY_OBJECTS},
                                                      {~0u, VK_ERROR_UNKNOWN}};  // any function may
  std::vector<Function> all;
  for (std::size_t number = 0; number < functions_in_all; ++number) {
    Function function{names[number], calls[number], {}, number};
    for (const auto& [may, error] : errors)
      if (may_return[number] & may) function.errors.push_back(error);
    all.push_back(std::move(function));
  }
  return all;
}

void VulkanFaults::fail_nothing() {
  restore();
  for (auto& count : calls) count = 0;
}

void VulkanFaults::fail(const Function& function, std::uint64_t call, VkResult error) {
  fail_nothing();
  failing_function = function.number;
  failing_call = call;
  failing_with = error;
  fired = device_lost = false;
  armed = true;
}

bool VulkanFaults::restore() {
  armed = false;
  return fired;
}

std::int64_t VulkanFaults::objects() { return alive; }

bool VulkanFaults::freed_while_running() { return freed.exchange(false); }

}  // namespace proxel::faults
