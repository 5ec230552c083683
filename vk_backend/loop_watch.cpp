#include "loop_watch.hpp"

#include <cstdint>

#include "device.hpp"
#include "memory.hpp"
#include "shaders.hpp"

namespace proxel::vulkan {
namespace {

// Two rounds tell: the first of a loop is always gone.
constexpr std::uint32_t rounds_of_watch = 2;

}  // namespace

LoopWatch::LoopWatch(VulkanDevice& device)
    : device_(device), buffer_(device.create_buffer(2 * sizeof(std::uint32_t), MemoryKind::readback)) {
  try {
    create();
  } catch (...) {
    destroy();
    throw;
  }
}

LoopWatch::~LoopWatch() { destroy(); }

void LoopWatch::create() {
  auto* words = static_cast<std::uint32_t*>(buffer_->mapped());
  words[0] = rounds_of_watch;
  words[1] = 0;
  const VolkDeviceTable& table = device_.table();
  VkDescriptorSetLayoutBinding binding{};
  binding.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
  binding.descriptorCount = 1;
  binding.stageFlags = VK_SHADER_STAGE_COMPUTE_BIT;
  VkDescriptorSetLayoutCreateInfo layout{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
  layout.bindingCount = 1;
  layout.pBindings = &binding;
  vulkan::check(table.vkCreateDescriptorSetLayout(device_.handle(), &layout, nullptr, &set_layout_),
                "vkCreateDescriptorSetLayout");
  const VkDescriptorPoolSize size{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1};
  VkDescriptorPoolCreateInfo pool{VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO};
  pool.maxSets = 1;
  pool.poolSizeCount = 1;
  pool.pPoolSizes = &size;
  vulkan::check(table.vkCreateDescriptorPool(device_.handle(), &pool, nullptr, &pool_), "vkCreateDescriptorPool");
  VkDescriptorSetAllocateInfo set{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO};
  set.descriptorPool = pool_;
  set.descriptorSetCount = 1;
  set.pSetLayouts = &set_layout_;
  vulkan::check(table.vkAllocateDescriptorSets(device_.handle(), &set, &set_), "vkAllocateDescriptorSets");
  const VkDescriptorBufferInfo whole{dynamic_cast<const VulkanBuffer&>(*buffer_).handle(), 0, VK_WHOLE_SIZE};
  VkWriteDescriptorSet write{VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET};
  write.dstSet = set_;
  write.descriptorCount = 1;
  write.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
  write.pBufferInfo = &whole;
  table.vkUpdateDescriptorSets(device_.handle(), 1, &write, 0, nullptr);
}

void LoopWatch::destroy() {
  device_.table().vkDestroyDescriptorPool(device_.handle(), pool_, nullptr);
  device_.table().vkDestroyDescriptorSetLayout(device_.handle(), set_layout_, nullptr);
}

void LoopWatch::bind(VkCommandBuffer commands, VkPipelineLayout layout) const {
  device_.table().vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, ended_loops_set, 1, &set_,
                                          0, nullptr);
}

void LoopWatch::check() {
  auto* ended = static_cast<std::uint32_t*>(buffer_->mapped()) + 1;
  if (*ended == 0) return;
  *ended = 0;
  throw Error(
      ErrorCode::unsupported, device_.info().id,
      "its driver ends loops of long searches before their time, as llvmpipe of Mesa 22 does after 65,535 rounds, "
      "so that the answer is lost; search with the device cpu, fewer rows or queries at a time, or a newer Mesa");
}

}  // namespace proxel::vulkan
