#include "engine.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace {

std::uint64_t forbidden = 0;

// The engine's own debug messenger: a validation message ends the test.
VKAPI_ATTR VkBool32 VKAPI_CALL on_message(VkDebugUtilsMessageSeverityFlagBitsEXT,
                                          VkDebugUtilsMessageTypeFlagsEXT,
                                          const VkDebugUtilsMessengerCallbackDataEXT* data, void*) {
  std::fprintf(stderr, "validation: %s\n", data->pMessage);
  std::abort();
}

void require(VkResult result, const char* call) {
  if (result == VK_SUCCESS) return;
  std::fprintf(stderr, "%s failed: %d\n", call, static_cast<int>(result));
  std::abort();
}

// Wraps a device function in one of the same type that counts its calls.
#define COUNTED_FUNCTIONS(F)                                                                    \
  F(vkAllocateMemory) F(vkFreeMemory) F(vkCreateBuffer) F(vkCreateImage)                        \
  F(vkCreateComputePipelines) F(vkCreateShaderModule) F(vkCreateDescriptorPool)                 \
  F(vkAllocateDescriptorSets) F(vkUpdateDescriptorSets) F(vkAllocateCommandBuffers)             \
  F(vkCreateCommandPool) F(vkQueueSubmit) F(vkQueueWaitIdle) F(vkDeviceWaitIdle)                \
  F(vkWaitForFences) F(vkCreateFence) F(vkMapMemory) F(vkGetQueryPoolResults)

template <auto* Original, typename Function>
struct Counted;
template <auto* Original, typename Result, typename... Arguments>
struct Counted<Original, Result(VKAPI_PTR*)(Arguments...)> {
  static Result VKAPI_CALL call(Arguments... arguments) {
    ++forbidden;
    return (*Original)(arguments...);
  }
};

#define DECLARE_ORIGINAL(name) PFN_##name original_##name = nullptr;
COUNTED_FUNCTIONS(DECLARE_ORIGINAL)

PFN_vkVoidFunction VKAPI_CALL counting_get_device_proc_addr(VkDevice device, const char* name) {
  const PFN_vkVoidFunction found = vkGetDeviceProcAddr(device, name);
#define REPLACE(counted)                                                       \
  if (std::string_view(name) == #counted) {                                    \
    original_##counted = reinterpret_cast<PFN_##counted>(found);               \
    return reinterpret_cast<PFN_vkVoidFunction>(                               \
        &Counted<&original_##counted, PFN_##counted>::call);                   \
  }
  COUNTED_FUNCTIONS(REPLACE)
#undef REPLACE
  return found;
}

}  // namespace

std::uint64_t Engine::forbidden_calls() { return forbidden; }

PFN_vkVoidFunction VKAPI_CALL Engine::counting_get_instance_proc_addr(VkInstance of,
                                                                      const char* name) {
  if (std::string_view(name) == "vkGetDeviceProcAddr")
    return reinterpret_cast<PFN_vkVoidFunction>(&counting_get_device_proc_addr);
  return vkGetInstanceProcAddr(of, name);
}

Engine::Engine() {
  if (volkInitialize() != VK_SUCCESS) return;
  const char* validation = std::getenv("PROXEL_VALIDATION");
  const char* layer = "VK_LAYER_KHRONOS_validation";
  const char* extensions[] = {VK_EXT_DEBUG_UTILS_EXTENSION_NAME,
                              VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME};
  const VkValidationFeatureEnableEXT enable[] = {
      VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT};
  VkDebugUtilsMessengerCreateInfoEXT messenger{
      VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT};
  messenger.messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT |
                              VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
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
  VkPhysicalDeviceVulkan12Features features12{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
  features12.bufferDeviceAddress = VK_TRUE;
  VkDeviceCreateInfo device_info{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
  device_info.pNext = &features12;
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
}

Engine::~Engine() {
  if (device) {
    for (const EngineBuffer& buffer : buffers_) {
      vkDestroyBuffer(device, buffer.buffer, nullptr);
      vkFreeMemory(device, buffer.memory, nullptr);
    }
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
               VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  require(vkCreateBuffer(device, &info, nullptr, &result.buffer), "vkCreateBuffer");
  VkMemoryRequirements requirements;
  vkGetBufferMemoryRequirements(device, result.buffer, &requirements);
  VkPhysicalDeviceMemoryProperties properties;
  vkGetPhysicalDeviceMemoryProperties(physical_device, &properties);
  const VkMemoryPropertyFlags wanted =
      VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
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

void Engine::begin() {
  VkCommandBufferBeginInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  require(vkBeginCommandBuffer(command_buffer, &info), "vkBeginCommandBuffer");
}

void Engine::full_barrier() {
  VkMemoryBarrier barrier{VK_STRUCTURE_TYPE_MEMORY_BARRIER};
  barrier.srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
  vkCmdPipelineBarrier(command_buffer, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                       VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1, &barrier, 0, nullptr, 0, nullptr);
}

void Engine::finish() {
  require(vkEndCommandBuffer(command_buffer), "vkEndCommandBuffer");
  VkSubmitInfo submit{VK_STRUCTURE_TYPE_SUBMIT_INFO};
  submit.commandBufferCount = 1;
  submit.pCommandBuffers = &command_buffer;
  require(vkQueueSubmit(queue, 1, &submit, VK_NULL_HANDLE), "vkQueueSubmit");
  require(vkQueueWaitIdle(queue), "vkQueueWaitIdle");
}
