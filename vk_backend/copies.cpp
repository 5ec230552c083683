#include "copies.hpp"

#include <algorithm>

#include "label_table.hpp"
#include "memory.hpp"

namespace proxel::vulkan {

Copies::Copies(const VolkDeviceTable& table, const DeviceHandles& handles) : table_(table), handles_(handles) {
  try {
    create();
  } catch (...) {
    destroy();
    throw;
  }
}

Copies::~Copies() { destroy(); }

void Copies::create() {
  VkCommandPoolCreateInfo pool_info{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
  pool_info.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT | VK_COMMAND_POOL_CREATE_TRANSIENT_BIT;
  pool_info.queueFamilyIndex = handles_.transfer_queue_family;
  check(table_.vkCreateCommandPool(handles_.device, &pool_info, nullptr, &pool_), "vkCreateCommandPool");
  VkCommandBufferAllocateInfo buffers_info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
  buffers_info.commandPool = pool_;
  buffers_info.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
  buffers_info.commandBufferCount = static_cast<std::uint32_t>(commands_.size());
  {
    const auto held = hold_label_table(true);  // of others
    check(table_.vkAllocateCommandBuffers(handles_.device, &buffers_info, commands_.data()),
          "vkAllocateCommandBuffers");
  }
  VkSemaphoreTypeCreateInfo type_info{VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO};
  type_info.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
  VkSemaphoreCreateInfo semaphore_info{VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
  semaphore_info.pNext = &type_info;
  check(table_.vkCreateSemaphore(handles_.device, &semaphore_info, nullptr, &semaphore_), "vkCreateSemaphore");
}

void Copies::destroy() {
  table_.vkDestroySemaphore(handles_.device, semaphore_, nullptr);
  const auto held = hold_label_table(true);  // of others
  table_.vkDestroyCommandPool(handles_.device, pool_, nullptr);
}

void Copies::wait_for(std::uint64_t value) {
  VkSemaphoreWaitInfo info{VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO};
  info.semaphoreCount = 1;
  info.pSemaphores = &semaphore_;
  info.pValues = &value;
  check(table_.vkWaitSemaphores(handles_.device, &info, UINT64_MAX), "vkWaitSemaphores");
}

void Copies::start(const BufferView& from, const BufferView& to) {
  const VkCommandBuffer commands = commands_[started_ % commands_.size()];
  if (started_ >= commands_.size()) wait_for(started_ + 1 - commands_.size());
  VkCommandBufferBeginInfo begin_info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  begin_info.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
  {
    const auto held = hold_label_table(true);  // of others
    check(table_.vkBeginCommandBuffer(commands, &begin_info), "vkBeginCommandBuffer");
  }
  const VkBufferCopy region{from.offset, to.offset, from.bytes};
  table_.vkCmdCopyBuffer(commands, dynamic_cast<VulkanBuffer&>(*from.buffer).handle(),
                         dynamic_cast<VulkanBuffer&>(*to.buffer).handle(), 1, &region);
  check(table_.vkEndCommandBuffer(commands), "vkEndCommandBuffer");
  const std::uint64_t value = started_ + 1;
  VkTimelineSemaphoreSubmitInfo values{VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO};
  values.signalSemaphoreValueCount = 1;
  values.pSignalSemaphoreValues = &value;
  VkSubmitInfo info{VK_STRUCTURE_TYPE_SUBMIT_INFO};
  info.pNext = &values;
  info.commandBufferCount = 1;
  info.pCommandBuffers = &commands;
  info.signalSemaphoreCount = 1;
  info.pSignalSemaphores = &semaphore_;
  check(table_.vkQueueSubmit(handles_.transfer_queue, 1, &info, VK_NULL_HANDLE), "vkQueueSubmit");
  const std::scoped_lock lock(mutex_);
  started_ = value;
}

void Copies::wait(std::uint32_t but) {
  const std::uint64_t wanted = started_ - std::min<std::uint64_t>(but, started_);
  if (wanted <= finished_) return;
  wait_for(wanted);
  const std::scoped_lock lock(mutex_);
  finished_ = wanted;
}

std::optional<std::uint64_t> Copies::to_be_seen() {
  const std::scoped_lock lock(mutex_);
  if (seen_ == finished_) return std::nullopt;
  return finished_;
}

void Copies::seen(std::uint64_t value) {
  const std::scoped_lock lock(mutex_);
  seen_ = value;
}

}  // namespace proxel::vulkan
