#include "memory.hpp"

#include <utility>

#include <fmt/format.h>

#include "commands.hpp"
#include "proxel/search.hpp"

namespace proxel::vulkan {
namespace {

struct MemoryFlags {
  VkMemoryPropertyFlags required;
  VkMemoryPropertyFlags preferred;
};

MemoryFlags memory_flags(MemoryKind kind) {
  constexpr VkMemoryPropertyFlags host = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  switch (kind) {
    case MemoryKind::device:
      return {VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, 0};
    case MemoryKind::upload:
      return {host, 0};
    case MemoryKind::readback:
      return {host, VK_MEMORY_PROPERTY_HOST_CACHED_BIT};
    case MemoryKind::direct:
      return {direct_memory, 0};
  }
  return {0, 0};
}

std::uint64_t address_of(VulkanDevice& device, VkBuffer buffer) {
  VkBufferDeviceAddressInfo info{VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO};
  info.buffer = buffer;
  return device.table().vkGetBufferDeviceAddress(device.handle(), &info);
}

}  // namespace

VulkanBuffer::VulkanBuffer(VulkanDevice& device, std::uint64_t bytes, MemoryKind kind) : device_(device), owned_(true) {
  owner_ = &device;
  bytes_ = bytes;
  create(kind, {});
}

VulkanBuffer::VulkanBuffer(VulkanDevice& device, std::uint64_t bytes, const External& external)
    : device_(device), owned_(true), external_(true), dedicated_(external.dedicated) {
  owner_ = &device;
  bytes_ = bytes;
  create(MemoryKind::device, external);
}

void VulkanBuffer::create(MemoryKind kind, const External& external) {
  const VolkDeviceTable& table = device_.table();
  VkExternalMemoryBufferCreateInfo external_info{VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO};
  external_info.handleTypes = external.type;
  VkBufferCreateInfo info{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
  if (external_) info.pNext = &external_info;
  // Kernels read four values at a time; the last four may reach past the end.
  info.size = (bytes_ + 15) & ~15ull;
  // llvmpipe of Mesa 26 reads what comes behind a loop's last turn as well (docs/drivers.md).
  constexpr std::uint64_t room = 65536;
  if (device_.capabilities().runs_on_host && !external_ &&
      info.size + room <= device_.capabilities().max_allocation_bytes)
    info.size += room;
  info.usage = usage;
  const std::vector<std::uint32_t> families = device_.queue_families();
  if (families.size() > 1) {
    info.sharingMode = VK_SHARING_MODE_CONCURRENT;
    info.queueFamilyIndexCount = static_cast<std::uint32_t>(families.size());
    info.pQueueFamilyIndices = families.data();
  }
  check(table.vkCreateBuffer(device_.handle(), &info, nullptr, &buffer_), "vkCreateBuffer");
  try {
    VkMemoryRequirements requirements;
    table.vkGetBufferMemoryRequirements(device_.handle(), buffer_, &requirements);
    if (external.allocation_bytes != 0) requirements.size = external.allocation_bytes;
    requirements.memoryTypeBits &= external.memory_types;
    allocation_bytes_ = requirements.size;
    VkMemoryDedicatedAllocateInfo dedicated{VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO};
    dedicated.pNext = external.allocation;
    dedicated.buffer = buffer_;
    const MemoryFlags flags = external.host ? MemoryFlags{0, 0} : memory_flags(kind);
    memory_ = device_.allocate(requirements, flags.required, flags.preferred, true,
                               external.dedicated ? &dedicated : external.allocation);
    check(table.vkBindBufferMemory(device_.handle(), buffer_, memory_, 0), "vkBindBufferMemory");
    if (kind != MemoryKind::device)
      check(table.vkMapMemory(device_.handle(), memory_, 0, VK_WHOLE_SIZE, 0, &mapped_), "vkMapMemory");
  } catch (...) {
    table.vkDestroyBuffer(device_.handle(), buffer_, nullptr);
    table.vkFreeMemory(device_.handle(), memory_, nullptr);
    throw;
  }
  if (external.host) mapped_ = external.host;
  address_ = address_of(device_, buffer_);
}

VulkanBuffer::VulkanBuffer(VulkanDevice& device, VkBuffer buffer, std::uint64_t bytes)
    : device_(device), owned_(false), buffer_(buffer) {
  owner_ = &device;
  bytes_ = bytes;
  address_ = address_of(device, buffer);
}

VulkanBuffer::~VulkanBuffer() {
  if (!owned_) return;
  device_.table().vkDestroyBuffer(device_.handle(), buffer_, nullptr);
  device_.table().vkFreeMemory(device_.handle(), memory_, nullptr);
}

std::uint32_t buffer_usage(std::uint32_t usage) {
  constexpr std::pair<BufferUsage, VkBufferUsageFlagBits> flags[] = {
      {usage_storage, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT},
      {usage_device_address, VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT},
      {usage_transfer_source, VK_BUFFER_USAGE_TRANSFER_SRC_BIT},
      {usage_transfer_destination, VK_BUFFER_USAGE_TRANSFER_DST_BIT}};
  std::uint32_t left = usage;
  VkBufferUsageFlags wanted = 0;
  for (const auto& [bit, flag] : flags)
    if (left & bit) {
      wanted |= flag;
      left &= ~bit;
    }
  if (left != 0)
    throw Error(ErrorCode::invalid_argument, "usage",
                fmt::format("{:#x} was given, of which {:#x} is no BufferUsage", usage, left));
  return wanted;
}

std::unique_ptr<Buffer> wrap_buffer(Device& device, VkBuffer_T* buffer, std::uint64_t bytes) {
  auto* own = dynamic_cast<VulkanDevice*>(&device);
  if (!own) throw Error(ErrorCode::invalid_argument, "device", "is not a Vulkan device");
  if (!buffer) throw Error(ErrorCode::invalid_argument, "buffer", "is a null handle");
  if (bytes == 0) throw Error(ErrorCode::invalid_argument, "bytes", "0 was given, at least 1 is allowed");
  return std::make_unique<VulkanBuffer>(*own, buffer, bytes);
}

VulkanTexture::VulkanTexture(VulkanDevice& device, std::uint32_t width, std::uint32_t height, std::uint32_t layers,
                             TexelFormat format)
    : device_(device) {
  width_ = width;
  height_ = height;
  layers_ = layers;
  format_ = format;
  const Capabilities& capabilities = device.capabilities();
  if (width == 0 || height == 0 || layers == 0 || width > capabilities.max_texture_extent ||
      height > capabilities.max_texture_extent || layers > capabilities.max_texture_layers)
    throw Error(ErrorCode::unsupported, device.info().id,
                fmt::format("a texture of {} x {} texels and {} layers was asked for, up to "
                            "{} x {} and {} is allowed",
                            width, height, layers, capabilities.max_texture_extent, capabilities.max_texture_extent,
                            capabilities.max_texture_layers));
  try {
    create();
    lay_out();
  } catch (...) {
    destroy();
    throw;
  }
}

VulkanTexture::~VulkanTexture() { destroy(); }

void VulkanTexture::destroy() {
  const VolkDeviceTable& table = device_.table();
  table.vkDestroyDescriptorPool(device_.handle(), pool_, nullptr);
  table.vkDestroyImageView(device_.handle(), view_, nullptr);
  table.vkDestroyImage(device_.handle(), image_, nullptr);
  table.vkFreeMemory(device_.handle(), memory_, nullptr);
}

void VulkanTexture::create() {
  const VolkDeviceTable& table = device_.table();
  const VkFormat format =
      format_ == TexelFormat::rgba32_float ? VK_FORMAT_R32G32B32A32_SFLOAT : VK_FORMAT_R32G32B32A32_UINT;
  VkImageCreateInfo image_info{VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO};
  image_info.imageType = VK_IMAGE_TYPE_2D;
  image_info.format = format;
  image_info.extent = {width_, height_, 1};
  image_info.mipLevels = 1;
  image_info.arrayLayers = layers_;
  image_info.samples = VK_SAMPLE_COUNT_1_BIT;
  image_info.tiling = VK_IMAGE_TILING_OPTIMAL;
  image_info.usage = VK_IMAGE_USAGE_STORAGE_BIT;
  check(table.vkCreateImage(device_.handle(), &image_info, nullptr, &image_), "vkCreateImage");
  VkMemoryRequirements requirements;
  table.vkGetImageMemoryRequirements(device_.handle(), image_, &requirements);
  memory_ = device_.allocate(requirements, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, 0, false);
  check(table.vkBindImageMemory(device_.handle(), image_, memory_, 0), "vkBindImageMemory");

  VkImageViewCreateInfo view_info{VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO};
  view_info.image = image_;
  view_info.viewType = VK_IMAGE_VIEW_TYPE_2D_ARRAY;
  view_info.format = format;
  view_info.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, layers_};
  check(table.vkCreateImageView(device_.handle(), &view_info, nullptr, &view_), "vkCreateImageView");

  const VkDescriptorPoolSize size{VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, 1};
  VkDescriptorPoolCreateInfo pool_info{VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO};
  pool_info.maxSets = 1;
  pool_info.poolSizeCount = 1;
  pool_info.pPoolSizes = &size;
  check(table.vkCreateDescriptorPool(device_.handle(), &pool_info, nullptr, &pool_), "vkCreateDescriptorPool");
  const VkDescriptorSetLayout layout = device_.pipelines().image_set_layout();
  VkDescriptorSetAllocateInfo set_info{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO};
  set_info.descriptorPool = pool_;
  set_info.descriptorSetCount = 1;
  set_info.pSetLayouts = &layout;
  check(table.vkAllocateDescriptorSets(device_.handle(), &set_info, &descriptor_set_), "vkAllocateDescriptorSets");
  const VkDescriptorImageInfo image{VK_NULL_HANDLE, view_, VK_IMAGE_LAYOUT_GENERAL};
  VkWriteDescriptorSet write{VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET};
  write.dstSet = descriptor_set_;
  write.descriptorCount = 1;
  write.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE;
  write.pImageInfo = &image;
  table.vkUpdateDescriptorSets(device_.handle(), 1, &write, 0, nullptr);
}

void VulkanTexture::lay_out() {
  VkImageMemoryBarrier barrier{VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER};
  barrier.dstAccessMask = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT;
  barrier.oldLayout = VK_IMAGE_LAYOUT_UNDEFINED;
  barrier.newLayout = VK_IMAGE_LAYOUT_GENERAL;
  barrier.srcQueueFamilyIndex = barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
  barrier.image = image_;
  barrier.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, layers_};
  VulkanCommands commands(device_, Timing::none);
  commands.begin();
  device_.table().vkCmdPipelineBarrier(commands.handle(), VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
                                       VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0, 0, nullptr, 0, nullptr, 1, &barrier);
  commands.end();
  commands.submit();
  commands.wait();
}

}  // namespace proxel::vulkan
