#include "gpu/gpu.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iterator>
#include <string_view>

#include "gpu/write_file.hpp"

namespace gpu {
namespace {

// The program's own messenger: PROXEL_VALIDATION=1 shows what the layer says, =fatal ends at it.
VKAPI_ATTR VkBool32 VKAPI_CALL on_message(VkDebugUtilsMessageSeverityFlagBitsEXT, VkDebugUtilsMessageTypeFlagsEXT,
                                          const VkDebugUtilsMessengerCallbackDataEXT* data, void*) {
  std::fprintf(stderr, "validation: %s\n", data->pMessage);
  if (std::string_view(std::getenv("PROXEL_VALIDATION")) == "fatal") std::abort();
  return VK_FALSE;
}

bool validating() {
  const char* mode = std::getenv("PROXEL_VALIDATION");
  return mode && *mode != '\0' && std::string_view(mode) != "0";
}

VkDebugUtilsMessengerCreateInfoEXT messenger_info() {
  VkDebugUtilsMessengerCreateInfoEXT info{VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT};
  info.messageSeverity =
      VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
  info.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT;
  info.pfnUserCallback = on_message;
  return info;
}

// Features of Vulkan 1.2 that are enabled where proxel wishes for them; what it would like
// beyond them it does without.
using Vulkan12 = VkPhysicalDeviceVulkan12Features;
constexpr std::pair<std::string_view, VkBool32 Vulkan12::*> known_features[] = {
    {"bufferDeviceAddress", &Vulkan12::bufferDeviceAddress},
    {"hostQueryReset", &Vulkan12::hostQueryReset},
};

}  // namespace

void require(VkResult result, const char* call) {
  if (result == VK_SUCCESS) return;
  const proxel::ErrorCode code = result == VK_ERROR_DEVICE_LOST ? proxel::ErrorCode::device_lost
                                 : result == VK_ERROR_OUT_OF_DEVICE_MEMORY || result == VK_ERROR_OUT_OF_HOST_MEMORY
                                     ? proxel::ErrorCode::out_of_memory
                                     : proxel::ErrorCode::backend_failure;
  throw proxel::Error(code, call, "failed with VkResult " + std::to_string(result));
}

namespace {
constexpr VkAccessFlags any_access = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
}

void transition(VkCommandBuffer commands, VkImage image, VkImageLayout from, VkImageLayout to) {
  VkImageMemoryBarrier barrier{VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER};
  barrier.srcAccessMask = barrier.dstAccessMask = any_access;
  barrier.oldLayout = from;
  barrier.newLayout = to;
  barrier.srcQueueFamilyIndex = barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
  barrier.image = image;
  barrier.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, nullptr,
                       0, nullptr, 1, &barrier);
}

void barrier(VkCommandBuffer commands) {
  const VkMemoryBarrier memory{VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr, any_access, any_access};
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1, &memory,
                       0, nullptr, 0, nullptr);
}

Gpu::Gpu(const Options& options) : cache_file_(options.pipeline_cache) {
  require(volkInitialize(), "volkInitialize");
  create_instance(options);
  choose_device(options);
  vkGetPhysicalDeviceProperties(physical_device, &properties);
  create_device(!options.instance_extensions.empty());
  load_pipeline_cache();

  handles.instance = instance;
  handles.physical_device = physical_device;
  handles.device = device;
  handles.queue_family = queue_family;
  handles.queue = queue;
  handles.get_instance_proc_addr = vkGetInstanceProcAddr;
  handles.debug_utils = validating();
  handles.pipeline_cache = pipeline_cache;
}

void Gpu::create_instance(const Options& options) {
  VkApplicationInfo application{VK_STRUCTURE_TYPE_APPLICATION_INFO};
  application.pApplicationName = options.program;
  application.apiVersion = VK_API_VERSION_1_2;
  VkInstanceCreateInfo info{VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
  info.pApplicationInfo = &application;
  std::vector<const char*> extensions = options.instance_extensions;
  const char* layer = "VK_LAYER_KHRONOS_validation";
  const VkValidationFeatureEnableEXT enable = VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT;
  VkDebugUtilsMessengerCreateInfoEXT messenger = messenger_info();
  VkValidationFeaturesEXT features{VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT};
  features.pNext = &messenger;
  features.enabledValidationFeatureCount = 1;
  features.pEnabledValidationFeatures = &enable;
  if (validating()) {
    extensions.insert(extensions.end(), {VK_EXT_DEBUG_UTILS_EXTENSION_NAME, VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME});
    info.pNext = &features;
    info.enabledLayerCount = 1;
    info.ppEnabledLayerNames = &layer;
  }
  info.enabledExtensionCount = static_cast<std::uint32_t>(extensions.size());
  info.ppEnabledExtensionNames = extensions.data();
  const VkResult created = vkCreateInstance(&info, nullptr, &instance);
  if (created == VK_ERROR_INCOMPATIBLE_DRIVER)
    throw proxel::Error(proxel::ErrorCode::not_found, "Vulkan", "the loader found no driver");
  require(created, "vkCreateInstance");
  volkLoadInstance(instance);
  messenger.pNext = nullptr;
  if (validating())
    require(vkCreateDebugUtilsMessengerEXT(instance, &messenger, nullptr, &messenger_),
            "vkCreateDebugUtilsMessengerEXT");
}

void Gpu::choose_device(const Options& options) {
  std::uint32_t count = 0;
  require(vkEnumeratePhysicalDevices(instance, &count, nullptr), "vkEnumeratePhysicalDevices");
  std::vector<VkPhysicalDevice> devices(count);
  require(vkEnumeratePhysicalDevices(instance, &count, devices.data()), "vkEnumeratePhysicalDevices");
  if (options.device) {
    if (*options.device >= count)
      throw proxel::Error(proxel::ErrorCode::not_found, "--device",
                          "position " + std::to_string(*options.device) + " was asked for; there are " +
                              std::to_string(count) + " Vulkan devices");
    physical_device = devices[*options.device];
    choose_queue_family();
    return;
  }
  // GPUs before what a processor emulates, where SwiftShader draws slowest; otherwise in the loader's order.
  const auto rank = [](VkPhysicalDevice candidate) {
    VkPhysicalDeviceProperties found;
    vkGetPhysicalDeviceProperties(candidate, &found);
    if (found.deviceType != VK_PHYSICAL_DEVICE_TYPE_CPU) return 0;
    return std::string_view(found.deviceName).starts_with("SwiftShader") ? 2 : 1;
  };
  std::stable_sort(devices.begin(), devices.end(), [&](auto one, auto other) { return rank(one) < rank(other); });
  for (const VkPhysicalDevice candidate : devices) {
    physical_device = candidate;
    choose_queue_family();
    if (draws && (!options.suits || options.suits(instance, candidate, queue_family))) return;
  }
  throw proxel::Error(proxel::ErrorCode::not_found, "Vulkan",
                      "none of " + std::to_string(count) + " devices draws and shows it here");
}

// One queue for everything: of a family with graphics where there is one.
void Gpu::choose_queue_family() {
  std::uint32_t count = 0;
  vkGetPhysicalDeviceQueueFamilyProperties(physical_device, &count, nullptr);
  std::vector<VkQueueFamilyProperties> families(count);
  vkGetPhysicalDeviceQueueFamilyProperties(physical_device, &count, families.data());
  for (const VkQueueFlags wanted : {VK_QUEUE_COMPUTE_BIT | VK_QUEUE_GRAPHICS_BIT, VK_QUEUE_COMPUTE_BIT + 0})
    for (std::uint32_t i = 0; i < count; ++i)
      if ((families[i].queueFlags & wanted) == wanted) {
        queue_family = i;
        draws = (wanted & VK_QUEUE_GRAPHICS_BIT) != 0;
        return;
      }
  require(VK_ERROR_FEATURE_NOT_PRESENT, "looking for a queue with compute");
}

void Gpu::create_device(bool presents) {
  Vulkan12 features{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
  std::vector<const char*> extensions;
  if (presents) extensions.push_back(VK_KHR_SWAPCHAIN_EXTENSION_NAME);

  for (const proxel::vulkan::Wish& wish : proxel::vulkan::wishes(vkGetInstanceProcAddr, instance, physical_device)) {
    const auto known = std::find_if(std::begin(known_features), std::end(known_features),
                                    [&](const auto& one) { return one.first == wish.name; });
    if (known == std::end(known_features)) continue;
    if (!wish.offered) throw proxel::Error(proxel::ErrorCode::unsupported, "device", wish.offered.reason);
    features.*known->second = VK_TRUE;
    handles.*wish.enabled = true;
  }

  const float priority = 1;
  VkDeviceQueueCreateInfo queue_info{VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};
  queue_info.queueFamilyIndex = queue_family;
  queue_info.queueCount = 1;
  queue_info.pQueuePriorities = &priority;
  VkDeviceCreateInfo info{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
  info.pNext = &features;
  info.queueCreateInfoCount = 1;
  info.pQueueCreateInfos = &queue_info;
  info.enabledExtensionCount = static_cast<std::uint32_t>(extensions.size());
  info.ppEnabledExtensionNames = extensions.data();
  require(vkCreateDevice(physical_device, &info, nullptr, &device), "vkCreateDevice");
  volkLoadDevice(device);
  vkGetDeviceQueue(device, queue_family, 0, &queue);
}

void Gpu::load_pipeline_cache() {
  std::vector<char> bytes;
  if (!cache_file_.empty()) {
    std::ifstream file(cache_file_, std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(file), {});
  }
  VkPipelineCacheCreateInfo info{VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
  info.initialDataSize = bytes.size();
  info.pInitialData = bytes.data();
  require(vkCreatePipelineCache(device, &info, nullptr, &pipeline_cache), "vkCreatePipelineCache");
}

void Gpu::save_pipeline_cache() const {
  std::size_t size = 0;
  if (vkGetPipelineCacheData(device, pipeline_cache, &size, nullptr) != VK_SUCCESS) return;
  std::vector<char> bytes(size);
  if (vkGetPipelineCacheData(device, pipeline_cache, &size, bytes.data()) != VK_SUCCESS) return;
  try {
    write_file(cache_file_, {bytes.data(), size});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "compiled pipelines are not kept: %s\n", error.what());
  }
}

Gpu::~Gpu() {
  vkDeviceWaitIdle(device);
  lent_.reset();
  if (!cache_file_.empty()) save_pipeline_cache();
  for (const VkPipeline pipeline : pipelines_) vkDestroyPipeline(device, pipeline, nullptr);
  for (const VkPipelineLayout layout : layouts_) vkDestroyPipelineLayout(device, layout, nullptr);
  for (const VkShaderModule shader : shaders_) vkDestroyShaderModule(device, shader, nullptr);
  for (const VkCommandPool pool : pools_) vkDestroyCommandPool(device, pool, nullptr);
  while (!images_.empty()) destroy(images_.back());
  while (!buffers_.empty()) destroy(buffers_.back());
  vkDestroyPipelineCache(device, pipeline_cache, nullptr);
  vkDestroyDevice(device, nullptr);
  if (messenger_) vkDestroyDebugUtilsMessengerEXT(instance, messenger_, nullptr);
  vkDestroyInstance(instance, nullptr);
}

VkDeviceMemory Gpu::allocate(const VkMemoryRequirements& needs, VkMemoryPropertyFlags wanted, bool addressable) {
  VkPhysicalDeviceMemoryProperties memory;
  vkGetPhysicalDeviceMemoryProperties(physical_device, &memory);
  VkMemoryAllocateFlagsInfo flags{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO};
  flags.flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT;
  VkMemoryAllocateInfo info{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
  if (addressable) info.pNext = &flags;
  info.allocationSize = needs.size;
  while (info.memoryTypeIndex < memory.memoryTypeCount &&
         (!(needs.memoryTypeBits & (1u << info.memoryTypeIndex)) ||
          (memory.memoryTypes[info.memoryTypeIndex].propertyFlags & wanted) != wanted))
    ++info.memoryTypeIndex;
  VkDeviceMemory allocated = VK_NULL_HANDLE;
  require(vkAllocateMemory(device, &info, nullptr, &allocated), "vkAllocateMemory");
  return allocated;
}

GpuBuffer Gpu::create_buffer(std::uint64_t bytes, bool host) {
  GpuBuffer buffer;
  buffer.bytes = bytes;
  VkBufferCreateInfo info{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
  info.size = bytes;
  info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT |
               VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  require(vkCreateBuffer(device, &info, nullptr, &buffer.handle), "vkCreateBuffer");
  VkMemoryRequirements needs;
  vkGetBufferMemoryRequirements(device, buffer.handle, &needs);
  buffer.memory = allocate(needs,
                           host ? VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT
                                : VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT,
                           true);
  require(vkBindBufferMemory(device, buffer.handle, buffer.memory, 0), "vkBindBufferMemory");
  if (host) require(vkMapMemory(device, buffer.memory, 0, VK_WHOLE_SIZE, 0, &buffer.mapped), "vkMapMemory");
  VkBufferDeviceAddressInfo address{VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO};
  address.buffer = buffer.handle;
  buffer.address = vkGetBufferDeviceAddress(device, &address);
  return buffers_.emplace_back(buffer);
}

GpuImage Gpu::create_image(VkExtent2D extent, VkFormat format, VkImageUsageFlags usage) {
  GpuImage image;
  image.extent = extent;
  VkImageCreateInfo info{VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO};
  info.imageType = VK_IMAGE_TYPE_2D;
  info.format = format;
  info.extent = {extent.width, extent.height, 1};
  info.mipLevels = info.arrayLayers = 1;
  info.samples = VK_SAMPLE_COUNT_1_BIT;
  info.usage = usage;
  require(vkCreateImage(device, &info, nullptr, &image.handle), "vkCreateImage");
  VkMemoryRequirements needs;
  vkGetImageMemoryRequirements(device, image.handle, &needs);
  image.memory = allocate(needs, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, false);
  require(vkBindImageMemory(device, image.handle, image.memory, 0), "vkBindImageMemory");
  VkImageViewCreateInfo view{VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO};
  view.image = image.handle;
  view.viewType = VK_IMAGE_VIEW_TYPE_2D;
  view.format = format;
  view.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
  require(vkCreateImageView(device, &view, nullptr, &image.view), "vkCreateImageView");
  return images_.emplace_back(image);
}

void Gpu::destroy(GpuBuffer buffer) {
  vkDestroyBuffer(device, buffer.handle, nullptr);
  vkFreeMemory(device, buffer.memory, nullptr);
  std::erase_if(buffers_, [&](const GpuBuffer& kept) { return kept.handle == buffer.handle; });
}

void Gpu::destroy(GpuImage image) {
  vkDestroyImageView(device, image.view, nullptr);
  vkDestroyImage(device, image.handle, nullptr);
  vkFreeMemory(device, image.memory, nullptr);
  std::erase_if(images_, [&](const GpuImage& kept) { return kept.handle == image.handle; });
}

VkShaderModule Gpu::create_shader(const std::uint32_t* code, std::size_t bytes) {
  VkShaderModuleCreateInfo info{VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
  info.codeSize = bytes;
  info.pCode = code;
  VkShaderModule shader = VK_NULL_HANDLE;
  require(vkCreateShaderModule(device, &info, nullptr, &shader), "vkCreateShaderModule");
  return shaders_.emplace_back(shader);
}

VkPipelineLayout Gpu::create_layout(std::uint32_t push_bytes, VkShaderStageFlags stages, VkDescriptorSetLayout set) {
  const VkPushConstantRange range{stages, 0, push_bytes};
  VkPipelineLayoutCreateInfo info{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
  info.setLayoutCount = set ? 1 : 0;
  info.pSetLayouts = &set;
  info.pushConstantRangeCount = 1;
  info.pPushConstantRanges = &range;
  VkPipelineLayout layout = VK_NULL_HANDLE;
  require(vkCreatePipelineLayout(device, &info, nullptr, &layout), "vkCreatePipelineLayout");
  return layouts_.emplace_back(layout);
}

VkCommandPool Gpu::create_command_pool() {
  VkCommandPoolCreateInfo info{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
  info.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT;
  info.queueFamilyIndex = queue_family;
  VkCommandPool pool = VK_NULL_HANDLE;
  require(vkCreateCommandPool(device, &info, nullptr, &pool), "vkCreateCommandPool");
  return pools_.emplace_back(pool);
}

std::vector<VkCommandBuffer> Gpu::create_command_buffers(VkCommandPool pool, std::uint32_t count) {
  VkCommandBufferAllocateInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
  info.commandPool = pool;
  info.commandBufferCount = count;
  std::vector<VkCommandBuffer> buffers(count);
  require(vkAllocateCommandBuffers(device, &info, buffers.data()), "vkAllocateCommandBuffers");
  return buffers;
}

proxel::Device& Gpu::lent() {
  if (!lent_) lent_ = proxel::vulkan::wrap_device(handles);
  return *lent_;
}

VkCommandBuffer Gpu::begin() {
  if (!one_off_) one_off_ = create_command_buffers(create_command_pool(), 1).front();
  const VkCommandBufferBeginInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  require(vkBeginCommandBuffer(one_off_, &info), "vkBeginCommandBuffer");
  return one_off_;
}

void Gpu::finish(VkCommandBuffer commands) const {
  require(vkEndCommandBuffer(commands), "vkEndCommandBuffer");
  VkSubmitInfo submit{VK_STRUCTURE_TYPE_SUBMIT_INFO};
  submit.commandBufferCount = 1;
  submit.pCommandBuffers = &commands;
  require(vkQueueSubmit(queue, 1, &submit, VK_NULL_HANDLE), "vkQueueSubmit");
  require(vkQueueWaitIdle(queue), "vkQueueWaitIdle");
}

}  // namespace gpu
