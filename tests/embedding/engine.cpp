#include "engine.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <utility>

#include "cooperative_matrix_types.hpp"
#include "host_allocations.hpp"

namespace {

std::uint64_t forbidden = 0;
std::uint64_t submitted = 0;

// The engine's own debug messenger: a validation message ends the test.
VKAPI_ATTR VkBool32 VKAPI_CALL on_message(VkDebugUtilsMessageSeverityFlagBitsEXT, VkDebugUtilsMessageTypeFlagsEXT,
                                          const VkDebugUtilsMessengerCallbackDataEXT* data, void*) {
  std::fprintf(stderr, "validation: %s\n", data->pMessage);
  std::abort();
}

void require(VkResult result, const char* call) {
  if (result == VK_SUCCESS) return;
  std::fprintf(stderr, "%s failed: %d\n", call, static_cast<int>(result));
  std::abort();
}

// Wraps a function in one of the same type that counts its calls.
// clang-format off
#define COUNTED_FUNCTIONS(F)                                                                    \
  F(vkAllocateMemory) F(vkFreeMemory) F(vkCreateBuffer) F(vkCreateImage)                        \
  F(vkCreateComputePipelines) F(vkCreateShaderModule) F(vkCreateDescriptorPool)                 \
  F(vkAllocateDescriptorSets) F(vkUpdateDescriptorSets) F(vkAllocateCommandBuffers)             \
  F(vkCreateCommandPool) F(vkQueueSubmit) F(vkQueueWaitIdle) F(vkDeviceWaitIdle)                \
  F(vkWaitForFences) F(vkCreateFence) F(vkMapMemory) F(vkGetQueryPoolResults)
// clang-format on
// Wraps one that is what recording consists of: what the driver allocates is the driver's.
// clang-format off
#define RECORDING_FUNCTIONS(F)                                                                  \
  F(vkCmdBindPipeline) F(vkCmdBindDescriptorSets) F(vkCmdPushConstants) F(vkCmdDispatch)        \
  F(vkCmdPipelineBarrier) F(vkCmdCopyBuffer) F(vkCmdFillBuffer) F(vkCmdWriteTimestamp)          \
  F(vkCmdBeginDebugUtilsLabelEXT) F(vkCmdEndDebugUtilsLabelEXT)
// clang-format on

#define DECLARE_ORIGINAL(name) PFN_##name original_##name = nullptr;
COUNTED_FUNCTIONS(DECLARE_ORIGINAL)
RECORDING_FUNCTIONS(DECLARE_ORIGINAL)

template <auto* Original, bool counts, typename Function>
struct Wrapped;
template <auto* Original, bool counts, typename Result, typename... Arguments>
struct Wrapped<Original, counts, Result(VKAPI_PTR*)(Arguments...)> {
  static Result VKAPI_CALL call(Arguments... arguments) {
    if (counts) ++forbidden;
    if (static_cast<const void*>(Original) == &original_vkQueueSubmit) ++submitted;
    const NotCounted driver;
    return (*Original)(arguments...);
  }
};

// The wrapper of a function, or the function itself.
PFN_vkVoidFunction wrapped(PFN_vkVoidFunction found, const char* name) {
  if (!found) return found;
#define REPLACE(wanted, counts)                                                                            \
  if (std::string_view(name) == #wanted) {                                                                 \
    original_##wanted = reinterpret_cast<PFN_##wanted>(found);                                             \
    return reinterpret_cast<PFN_vkVoidFunction>(&Wrapped<&original_##wanted, counts, PFN_##wanted>::call); \
  }
#define REPLACE_COUNTED(wanted) REPLACE(wanted, true)
#define REPLACE_RECORDING(wanted) REPLACE(wanted, false)
  COUNTED_FUNCTIONS(REPLACE_COUNTED)
  RECORDING_FUNCTIONS(REPLACE_RECORDING)
#undef REPLACE_COUNTED
#undef REPLACE_RECORDING
#undef REPLACE
  return found;
}

PFN_vkVoidFunction VKAPI_CALL counting_get_device_proc_addr(VkDevice device, const char* name) {
  return wrapped(vkGetDeviceProcAddr(device, name), name);
}

using Vulkan12 = VkPhysicalDeviceVulkan12Features;
constexpr std::pair<std::string_view, VkBool32 Vulkan12::*> known_features[] = {
    {"bufferDeviceAddress", &Vulkan12::bufferDeviceAddress},
    {"shaderFloat16", &Vulkan12::shaderFloat16},
    {"shaderInt8", &Vulkan12::shaderInt8},
    {"hostQueryReset", &Vulkan12::hostQueryReset},
    {"vulkanMemoryModel", &Vulkan12::vulkanMemoryModel},
    {"vulkanMemoryModelDeviceScope", &Vulkan12::vulkanMemoryModelDeviceScope},
    {"timelineSemaphore", &Vulkan12::timelineSemaphore},
};

}  // namespace

std::uint64_t Engine::forbidden_calls() { return forbidden; }
std::uint64_t Engine::submissions() { return submitted; }

PFN_vkVoidFunction VKAPI_CALL Engine::counting_get_instance_proc_addr(VkInstance of, const char* name) {
  if (std::string_view(name) == "vkGetDeviceProcAddr")
    return reinterpret_cast<PFN_vkVoidFunction>(&counting_get_device_proc_addr);
  return wrapped(vkGetInstanceProcAddr(of, name), name);
}

Engine::Engine() {
  if (volkInitialize() != VK_SUCCESS) return;
  const char* validation = std::getenv("PROXEL_VALIDATION");
  const char* layer = "VK_LAYER_KHRONOS_validation";
  const char* extensions[] = {VK_EXT_DEBUG_UTILS_EXTENSION_NAME, VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME};
  const VkValidationFeatureEnableEXT enable[] = {VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT};
  VkDebugUtilsMessengerCreateInfoEXT messenger{VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT};
  messenger.messageSeverity =
      VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
  messenger.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT;
  messenger.pfnUserCallback = on_message;
  VkValidationFeaturesEXT features{VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT};
  features.pNext = &messenger;
  features.enabledValidationFeatureCount = 1;
  features.pEnabledValidationFeatures = enable;
  VkApplicationInfo application{VK_STRUCTURE_TYPE_APPLICATION_INFO};
  application.apiVersion = VK_API_VERSION_1_2;
  VkInstanceCreateInfo info{VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
  info.pApplicationInfo = &application;
  if (validation && std::strcmp(validation, "0") != 0) {
    info.pNext = &features;
    info.enabledLayerCount = 1;
    info.ppEnabledLayerNames = &layer;
    info.enabledExtensionCount = 2;
    info.ppEnabledExtensionNames = extensions;
  }
  if (vkCreateInstance(&info, nullptr, &instance) != VK_SUCCESS) return;
  volkLoadInstance(instance);

  std::uint32_t count = 1;
  vkEnumeratePhysicalDevices(instance, &count, &physical_device);
  if (count == 0) return;
  const float priority = 1;
  VkDeviceQueueCreateInfo queue_info{VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};
  queue_info.queueCount = 1;
  queue_info.pQueuePriorities = &priority;
  // Everything that proxel wishes for and the device offers.
  VkPhysicalDeviceFeatures core_features{};
  Vulkan12 features12{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
  VkPhysicalDeviceCooperativeMatrixFeaturesKHR matrices{};
  matrices.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_FEATURES_KHR;
  std::vector<const char*> wanted;
  for (const proxel::vulkan::Wish& wish :
       proxel::vulkan::wishes(&counting_get_instance_proc_addr, instance, physical_device)) {
    if (!wish.offered) continue;
    handles.*wish.enabled = true;
    if (wish.kind == proxel::vulkan::Wish::Kind::extension) {
      wanted.push_back(wish.name.data());
    } else if (wish.name == "cooperativeMatrix") {
      matrices.cooperativeMatrix = VK_TRUE;
      features12.pNext = &matrices;
    } else if (wish.name == "shaderFloat64") {
      core_features.shaderFloat64 = VK_TRUE;
    } else {
      const auto known = std::find_if(std::begin(known_features), std::end(known_features),
                                      [&](const auto& one) { return one.first == wish.name; });
      require(known != std::end(known_features) ? VK_SUCCESS : VK_ERROR_FEATURE_NOT_PRESENT, wish.name.data());
      features12.*known->second = VK_TRUE;
    }
  }
  VkDeviceCreateInfo device_info{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
  device_info.pNext = &features12;
  device_info.pEnabledFeatures = &core_features;
  device_info.enabledExtensionCount = static_cast<std::uint32_t>(wanted.size());
  device_info.ppEnabledExtensionNames = wanted.data();
  device_info.queueCreateInfoCount = 1;
  device_info.pQueueCreateInfos = &queue_info;
  require(vkCreateDevice(physical_device, &device_info, nullptr, &device), "vkCreateDevice");
  volkLoadDevice(device);
  vkGetDeviceQueue(device, 0, 0, &queue);
  VkCommandPoolCreateInfo pool_info{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
  pool_info.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT;
  require(vkCreateCommandPool(device, &pool_info, nullptr, &pool_), "vkCreateCommandPool");
  VkCommandBufferAllocateInfo allocate{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
  allocate.commandPool = pool_;
  allocate.commandBufferCount = 1;
  require(vkAllocateCommandBuffers(device, &allocate, &command_buffer), "vkAllocateCommandBuffers");
  allocate.level = VK_COMMAND_BUFFER_LEVEL_SECONDARY;
  require(vkAllocateCommandBuffers(device, &allocate, &secondary), "vkAllocateCommandBuffers");
  handles.instance = instance;
  handles.physical_device = physical_device;
  handles.device = device;
  handles.queue = queue;
  handles.get_instance_proc_addr = &counting_get_instance_proc_addr;
  handles.debug_utils = info.enabledExtensionCount != 0;
}

Engine::~Engine() {
  if (device) {
    for (const EngineBuffer& buffer : buffers_) {
      vkDestroyBuffer(device, buffer.buffer, nullptr);
      vkFreeMemory(device, buffer.memory, nullptr);
    }
    for (const VkQueryPool queries : query_pools_) vkDestroyQueryPool(device, queries, nullptr);
    vkDestroyCommandPool(device, pool_, nullptr);
    vkDestroyDevice(device, nullptr);
  }
  if (instance) vkDestroyInstance(instance, nullptr);
}

Engine::EngineBuffer Engine::create_buffer(std::uint64_t bytes) {
  EngineBuffer result;
  result.bytes = bytes;
  VkBufferCreateInfo info{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
  info.size = bytes;
  info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT |
               VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  require(vkCreateBuffer(device, &info, nullptr, &result.buffer), "vkCreateBuffer");
  VkMemoryRequirements requirements;
  vkGetBufferMemoryRequirements(device, result.buffer, &requirements);
  VkPhysicalDeviceMemoryProperties properties;
  vkGetPhysicalDeviceMemoryProperties(physical_device, &properties);
  const VkMemoryPropertyFlags wanted = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  VkMemoryAllocateFlagsInfo flags{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO};
  flags.flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT;
  VkMemoryAllocateInfo allocate{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
  allocate.pNext = &flags;
  allocate.allocationSize = requirements.size;
  while (!(requirements.memoryTypeBits & (1u << allocate.memoryTypeIndex)) ||
         (properties.memoryTypes[allocate.memoryTypeIndex].propertyFlags & wanted) != wanted)
    ++allocate.memoryTypeIndex;
  require(vkAllocateMemory(device, &allocate, nullptr, &result.memory), "vkAllocateMemory");
  require(vkBindBufferMemory(device, result.buffer, result.memory, 0), "vkBindBufferMemory");
  require(vkMapMemory(device, result.memory, 0, VK_WHOLE_SIZE, 0, &result.mapped), "vkMapMemory");
  buffers_.push_back(result);
  return result;
}

VkQueryPool Engine::create_timestamps(std::uint32_t count) {
  VkQueryPoolCreateInfo info{VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO};
  info.queryType = VK_QUERY_TYPE_TIMESTAMP;
  info.queryCount = count;
  VkQueryPool queries = VK_NULL_HANDLE;
  require(vkCreateQueryPool(device, &info, nullptr, &queries), "vkCreateQueryPool");
  query_pools_.push_back(queries);
  return queries;
}

void Engine::begin_secondary() {
  VkCommandBufferInheritanceInfo inherited{VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
  VkCommandBufferBeginInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  info.pInheritanceInfo = &inherited;
  require(vkBeginCommandBuffer(secondary, &info), "vkBeginCommandBuffer");
}

void Engine::execute_secondary() {
  require(vkEndCommandBuffer(secondary), "vkEndCommandBuffer");
  vkCmdExecuteCommands(command_buffer, 1, &secondary);
}

void Engine::barrier(const proxel::vulkan::Edge& from, const proxel::vulkan::Edge& to) {
  VkMemoryBarrier memory{VK_STRUCTURE_TYPE_MEMORY_BARRIER};
  memory.srcAccessMask = from.access;
  memory.dstAccessMask = to.access;
  vkCmdPipelineBarrier(command_buffer, from.stages, to.stages, 0, 1, &memory, 0, nullptr, 0, nullptr);
}

void Engine::begin() {
  VkCommandBufferBeginInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  require(vkBeginCommandBuffer(command_buffer, &info), "vkBeginCommandBuffer");
}

void Engine::full_barrier() {
  VkMemoryBarrier barrier{VK_STRUCTURE_TYPE_MEMORY_BARRIER};
  barrier.srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
  vkCmdPipelineBarrier(command_buffer, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1,
                       &barrier, 0, nullptr, 0, nullptr);
}

void Engine::finish(VkSemaphore timeline, std::uint64_t wait_for, std::uint64_t then_signal) {
  require(vkEndCommandBuffer(command_buffer), "vkEndCommandBuffer");
  const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
  VkTimelineSemaphoreSubmitInfo values{VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO};
  values.waitSemaphoreValueCount = values.signalSemaphoreValueCount = 1;
  values.pWaitSemaphoreValues = &wait_for;
  values.pSignalSemaphoreValues = &then_signal;
  VkSubmitInfo submit{VK_STRUCTURE_TYPE_SUBMIT_INFO};
  submit.commandBufferCount = 1;
  submit.pCommandBuffers = &command_buffer;
  if (timeline) {
    submit.pNext = &values;
    submit.waitSemaphoreCount = submit.signalSemaphoreCount = 1;
    submit.pWaitSemaphores = submit.pSignalSemaphores = &timeline;
    submit.pWaitDstStageMask = &stage;
  }
  require(vkQueueSubmit(queue, 1, &submit, VK_NULL_HANDLE), "vkQueueSubmit");
  require(vkQueueWaitIdle(queue), "vkQueueWaitIdle");
}
