#include "device.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "commands.hpp"
#include "instance.hpp"
#include "memory.hpp"
#include "pinned_memory.hpp"
#include "probe.hpp"
#include "search/check.hpp"
#include "search/words.hpp"
#include "shaders.hpp"
#include "subgroup_sizes.hpp"
#include "watch.hpp"
#include "wishes.hpp"

namespace proxel::vulkan {
namespace {

// One file for each kind of device and driver.
std::string cache_file(const VkPhysicalDeviceProperties& properties) {
  const std::string& directory = pipeline_cache_directory();
  if (directory.empty()) return {};
  std::string uuid;
  for (const std::uint8_t byte : properties.pipelineCacheUUID) uuid += fmt::format("{:02x}", byte);
  return fmt::format("{}/vulkan-{:04x}-{:04x}-{}.bin", directory, properties.vendorID, properties.deviceID, uuid);
}

}  // namespace

VulkanDevice::VulkanDevice(DeviceInfo info, const DeviceHandles& handles, InstanceFunctions functions, bool owned)
    : handles_(handles), functions_(functions), owned_(owned) {
  info_ = std::move(info);
  proxel_load_device_table(&table_, handles_.device, functions_.vkGetDeviceProcAddr);
  try {
    prepare_use();
    trial_ = owned ? try_device(*this) : known_trial(*this);
    if (half_sum_units_ && !trial_.rounds_half_sums_once)
      half_sum_units_ = Support::no(
          "the device's matrix units round sums in half precision otherwise than once for 16 products, or were not "
          "tried");
    // A caller's own submissions are not waited for here, where it would be told.
    if (owned && trial_.ends_long_loops) {
      loop_watch_ = std::make_unique<LoopWatch>(*this);
      pipelines_->watch_loops(loop_watch_->set_layout());
    }
    search::prepare_words(*this);
  } catch (...) {
    destroy();
    throw;
  }
}

void VulkanDevice::prepare_use() {
  VkPhysicalDeviceVulkan12Properties arithmetic{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES};
  VkPhysicalDeviceSubgroupProperties subgroups{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES};
  subgroups.pNext = &arithmetic;
  VkPhysicalDeviceProperties2 properties{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2};
  properties.pNext = &subgroups;
  functions_.vkGetPhysicalDeviceProperties2(handles_.physical_device, &properties);
  limits_ = properties.properties.limits;
  if (subgroups.supportedStages & VK_SHADER_STAGE_COMPUTE_BIT) subgroup_operations_ = subgroups.supportedOperations;
  functions_.vkGetPhysicalDeviceMemoryProperties(handles_.physical_device, &memory_);
  matrix_units_ = offered(wishes(functions_, handles_.physical_device), &DeviceHandles::cooperative_matrix);
  if (matrix_units_ && !handles_.cooperative_matrix)
    matrix_units_ = Support::no("the device was created without cooperative matrices");
  const CooperativeMatrices matrices = matrix_units_ ? cooperative_matrices(functions_, handles_.physical_device)
                                                     : CooperativeMatrices{matrix_units_, matrix_units_, matrix_units_};
  half_sum_units_ = !matrix_units_ || arithmetic.driverID == VK_DRIVER_ID_NVIDIA_PROPRIETARY
                        ? matrices.half_sums
                        : Support::no("what sums in half precision err by is known of NVIDIA's driver alone");
  integer_matrix_units_ = !matrix_units_ || handles_.shader_int8
                              ? matrices.integers
                              : Support::no("the device lacks the feature shaderInt8, or was created without");
  promises_subnormals_ = arithmetic.shaderDenormPreserveFloat32 == VK_TRUE;
  Adaptation adaptation;
  adaptation.on_host = properties.properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
  adaptation.keeps_subnormals = promises_subnormals_;
  adaptation.widths_are_independent =
      arithmetic.denormBehaviorIndependence != VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_NONE;
  pipelines_ =
      std::make_unique<Pipelines>(table_, handles_.device, owned_ ? cache_file(properties.properties) : std::string(),
                                  handles_.pipeline_cache, adaptation);
  if (handles_.transfer_queue) copies_ = std::make_unique<Copies>(table_, handles_);
  // create_device() enables this where the device offers it.
  if (owned_ && SubgroupSizes(functions_, handles_.physical_device).features.computeFullSubgroups)
    pipelines_->require_full_subgroups(capabilities().subgroup_size);
}

VulkanDevice::~VulkanDevice() { destroy(); }

void VulkanDevice::destroy() {
  if (owned_) table_.vkDeviceWaitIdle(handles_.device);
  copies_.reset();
  pipelines_.reset();
  loop_watch_.reset();
  if (owned_) table_.vkDestroyDevice(handles_.device, nullptr);
}

bool VulkanDevice::shares_addresses(const Device& other) const {
  if (this == &other) return true;
  const auto* own = dynamic_cast<const VulkanDevice*>(&other);
  return own && own->handle() == handle();
}

Support VulkanDevice::supports(const Pass& pass) const {
  const auto code = shader_code(pass.name());
  if (code.empty()) return Support::no(Limit::kernel, fmt::format("this build has no shader {}", pass.name()));
  if (needs_matrix_units(code))
    if (const Support& units = needs_int8(code)        ? integer_matrix_units_
                               : needs_half_sums(code) ? half_sum_units_
                                                       : matrix_units_;
        !units)
      return units;
  if (const auto missing = subgroup_operations(code) & ~subgroup_operations_; missing != 0)
    return Support::no(
        fmt::format("needs the subgroup operations {} in compute shaders, the "
                    "device lacks them",
                    names_of(missing)));
  if (needs_float16(code) && !handles_.shader_float16 && !handles_.cooperative_matrix)
    return Support::no("needs binary16 in shaders (shaderFloat16), the device lacks it or was created without");
  if (needs_float64(code) && !handles_.shader_float64)
    return Support::no("needs binary64 in shaders (shaderFloat64), the device lacks it or was created without");
  if (pass.workgroup_size > capabilities().max_workgroup_size)
    return Support::no(fmt::format("needs workgroups of {} invocations, the device has {}", pass.workgroup_size,
                                   capabilities().max_workgroup_size));
  if (pass.shared_bytes > capabilities().shared_memory_bytes)
    return Support::no(fmt::format("needs {} bytes of shared memory, the device has {}", pass.shared_bytes,
                                   capabilities().shared_memory_bytes));
  for (const std::uint32_t extent : {pass.grid.x, pass.grid.y, pass.grid.z})
    if (extent == 0 || extent > largest_grid_extent)
      return Support::no(fmt::format("the grid {} x {} x {} is outside 1 to {}", pass.grid.x, pass.grid.y, pass.grid.z,
                                     largest_grid_extent));
  return Support::yes();
}

void VulkanDevice::prepare_all(std::span<const Pass> passes) {
  for (const Pass& pass : passes)
    if (const Support support = supports(pass); !support)
      throw Error(ErrorCode::unsupported, fmt::format("{} on {}", pass.name(), info().id), support.reason);
  const InUse::Scope in_use(in_use_, info_.id.c_str(), InUse::Again::allowed);
  pipelines_->make_all(passes);
}

void VulkanDevice::check_direct(std::uint64_t bytes) const {
  // Where the host sees 256 MiB of a device, other programs and the driver want most of them.
  constexpr std::uint64_t share = 32;
  std::uint64_t heap = 0;
  for (std::uint32_t type = 0; type < memory_.memoryTypeCount; ++type)
    if ((memory_.memoryTypes[type].propertyFlags & direct_memory) == direct_memory)
      heap = std::max<std::uint64_t>(heap, memory_.memoryHeaps[memory_.memoryTypes[type].heapIndex].size);
  if (heap == 0) throw Error(ErrorCode::unsupported, info().id, "it has no memory of its own that the host can write");
  if (bytes > heap / share)
    throw Error(ErrorCode::out_of_memory, info().id,
                fmt::format("a direct buffer of {} bytes was asked for, up to {} is allowed", bytes, heap / share));
}

VkDeviceMemory VulkanDevice::allocate(const VkMemoryRequirements& requirements, VkMemoryPropertyFlags required,
                                      VkMemoryPropertyFlags preferred, bool addressable, const void* next) {
  VkMemoryAllocateFlagsInfo flags{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO};
  flags.flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT;
  VkMemoryAllocateInfo info{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
  flags.pNext = next;
  info.pNext = addressable ? &flags : next;
  info.allocationSize = requirements.size;
  VkResult result = VK_ERROR_OUT_OF_DEVICE_MEMORY;
  for (const VkMemoryPropertyFlags wanted : {required | preferred, required})
    for (std::uint32_t type = 0; type < memory_.memoryTypeCount; ++type) {
      if (!(requirements.memoryTypeBits & (1u << type)) || (memory_.memoryTypes[type].propertyFlags & wanted) != wanted)
        continue;
      info.memoryTypeIndex = type;
      VkDeviceMemory memory = VK_NULL_HANDLE;
      result = table_.vkAllocateMemory(handles_.device, &info, nullptr, &memory);
      if (result == VK_SUCCESS) return memory;
    }
  check(result, "vkAllocateMemory");
  return VK_NULL_HANDLE;
}

void VulkanDevice::check_bytes(std::uint64_t bytes) const {
  if (bytes == 0 || bytes > capabilities().max_allocation_bytes)
    throw Error(bytes == 0 ? ErrorCode::invalid_argument : ErrorCode::out_of_memory, info().id,
                fmt::format("a buffer of {} bytes was asked for, 1 to {} is allowed", bytes,
                            capabilities().max_allocation_bytes));
}

std::unique_ptr<Buffer> VulkanDevice::create_buffer(std::uint64_t bytes, MemoryKind kind) {
  search::require_enumerator("memory kind", kind, MemoryKind::direct);
  check_bytes(bytes);
  if (kind == MemoryKind::direct) check_direct(bytes);
  return std::make_unique<VulkanBuffer>(*this, bytes, kind);
}

std::unique_ptr<Texture> VulkanDevice::create_texture(std::uint32_t width, std::uint32_t height, std::uint32_t layers,
                                                      TexelFormat format) {
  search::require_enumerator("texel format", format, TexelFormat::rgba32_uint);
  return std::make_unique<VulkanTexture>(*this, width, height, layers, format);
}

std::unique_ptr<Commands> VulkanDevice::create_commands(Timing timing) {
  search::require_enumerator("timing", timing, Timing::passes);
  return std::make_unique<VulkanCommands>(*this, timing);
}

void VulkanDevice::submit(VkCommandBuffer command_buffer, VkFence fence) {
  VkSubmitInfo info{VK_STRUCTURE_TYPE_SUBMIT_INFO};
  info.commandBufferCount = 1;
  info.pCommandBuffers = &command_buffer;
  VkTimelineSemaphoreSubmitInfo values{VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO};
  const std::optional<std::uint64_t> copied = copies_ ? copies_->to_be_seen() : std::nullopt;
  const VkSemaphore semaphore = copies_ ? copies_->semaphore() : VK_NULL_HANDLE;
  constexpr VkPipelineStageFlags every_stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
  if (copied) {
    values.waitSemaphoreValueCount = 1;
    values.pWaitSemaphoreValues = &*copied;
    info.pNext = &values;
    info.waitSemaphoreCount = 1;
    info.pWaitSemaphores = &semaphore;
    info.pWaitDstStageMask = &every_stage;
  }
  check(table_.vkQueueSubmit(handles_.queue, 1, &info, fence), "vkQueueSubmit");
  if (copied) copies_->seen(*copied);
}

void VulkanDevice::wait(VkFence fence) {
  wait_watched([&](bool limited) {
    const auto limit = limited ? static_cast<std::uint64_t>(Watch::interval().count()) : UINT64_MAX;
    const VkResult result = table_.vkWaitForFences(handles_.device, 1, &fence, VK_TRUE, limit);
    if (limited && result == VK_TIMEOUT) return false;
    check(result, "vkWaitForFences");
    return true;
  });
}

void VulkanDevice::submit(Commands& commands) {
  const InUse::Scope in_use(in_use_, info_.id.c_str(), InUse::Again::allowed);
  auto& own = dynamic_cast<VulkanCommands&>(commands);
  // A command buffer must not be submitted while it is still executing.
  if (std::find(pending_.begin(), pending_.end(), &own) != pending_.end()) wait();
  pending_.reserve(pending_.size() + 1);  // what runs is waited for
  own.submit();
  pending_.push_back(&own);
}

void VulkanDevice::wait() {
  const InUse::Scope in_use(in_use_, info_.id.c_str(), InUse::Again::allowed);
  try {
    for (VulkanCommands* commands : pending_) commands->wait();
  } catch (...) {
    for (VulkanCommands* commands : pending_) commands->outlast();
    pending_.clear();
    throw;
  }
  pending_.clear();
  if (loop_watch_) loop_watch_->check();
}

std::vector<std::uint32_t> VulkanDevice::queue_families() const {
  if (!copies_) return {handles_.queue_family};
  return {handles_.queue_family, handles_.transfer_queue_family};
}

void VulkanDevice::start_copy(const BufferView& from, const BufferView& to) {
  if (!copies_) return Device::start_copy(from, to);
  copies_->start(from, to);
}

void VulkanDevice::wait_copies(std::uint32_t but) {
  if (copies_) copies_->wait(but);
}

Support VulkanDevice::supports_pinning() const { return vulkan::supports_pinning(*this); }

std::unique_ptr<Buffer> VulkanDevice::pin(const void* memory, std::uint64_t bytes) {
  return vulkan::pin(*this, memory, bytes);
}

void VulkanDevice::forget(VulkanCommands& commands) { std::erase(pending_, &commands); }

std::unique_ptr<Device> wrap_device(const DeviceHandles& handles) {
  const auto require = [](bool given, const char* name, const char* reason = "is required to wrap a device") {
    if (!given) throw Error(ErrorCode::invalid_argument, name, reason);
  };
  require(handles.instance, "instance");
  require(handles.physical_device, "physical_device");
  require(handles.device, "device");
  require(handles.queue, "queue");
  require(handles.get_instance_proc_addr, "get_instance_proc_addr");
  require(handles.buffer_device_address, "buffer_device_address",
          "must be true: enable bufferDeviceAddress, which searches need, and say so here");
  const auto get = reinterpret_cast<PFN_vkGetInstanceProcAddr>(handles.get_instance_proc_addr);
  const InstanceFunctions functions = InstanceFunctions::load(handles.instance, get);
  const Support family = serves_compute(functions, handles.physical_device, handles.queue_family);
  require(family.supported, "queue_family", family.reason.c_str());
  if (handles.transfer_queue) {
    require(handles.transfer_queue_family != handles.queue_family, "transfer_queue_family",
            "must be another than queue_family");
    const Support transfers = serves_transfer(functions, handles.physical_device, handles.transfer_queue_family);
    require(transfers.supported, "transfer_queue_family", transfers.reason.c_str());
    require(handles.external_semaphore, "external_semaphore",
            "must be true for a transfer queue: enable timelineSemaphore, which it signals, and say so here");
  }
  DeviceInfo info = probe(functions, handles.physical_device, 0);
  info.id = "vulkan:wrapped";
  if (!info.usable) throw Error(ErrorCode::unsupported, info.name, info.usable.reason);
  return std::make_unique<VulkanDevice>(std::move(info), handles, functions, false);
}

}  // namespace proxel::vulkan
