#include "gpu/frames.hpp"

namespace gpu {

Frames::Frames(Gpu& gpu) : gpu_(gpu) {
  const auto commands = gpu.create_command_buffers(gpu.create_command_pool(), frames_in_flight);
  for (std::uint32_t i = 0; i < frames_in_flight; ++i) {
    InFlight& slot = slots_[i];
    slot.commands = commands[i];
    const VkFenceCreateInfo fence{VK_STRUCTURE_TYPE_FENCE_CREATE_INFO, nullptr, 0};
    require(vkCreateFence(gpu.device, &fence, nullptr, &slot.finished), "vkCreateFence");
    const VkSemaphoreCreateInfo semaphore{VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, nullptr, 0};
    require(vkCreateSemaphore(gpu.device, &semaphore, nullptr, &slot.acquired), "vkCreateSemaphore");
  }
}

Frames::~Frames() {
  vkDeviceWaitIdle(gpu_.device);
  for (const InFlight& slot : slots_) {
    vkDestroyFence(gpu_.device, slot.finished, nullptr);
    vkDestroySemaphore(gpu_.device, slot.acquired, nullptr);
  }
}

bool Frames::take(std::uint32_t number) {
  InFlight& slot = slots_[number];
  if (!slot.submitted) return false;
  require(vkWaitForFences(gpu_.device, 1, &slot.finished, VK_TRUE, UINT64_MAX), "vkWaitForFences");
  require(vkResetFences(gpu_.device, 1, &slot.finished), "vkResetFences");
  slot.submitted = false;
  return true;
}

VkCommandBuffer Frames::begin(std::uint32_t number) {
  VkCommandBufferBeginInfo begin{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  begin.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
  require(vkBeginCommandBuffer(slots_[number].commands, &begin), "vkBeginCommandBuffer");
  return slots_[number].commands;
}

void Frames::submit(std::uint32_t number, VkSemaphore drawn) {
  InFlight& slot = slots_[number];
  require(vkEndCommandBuffer(slot.commands), "vkEndCommandBuffer");
  const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_TRANSFER_BIT;
  VkSubmitInfo info{VK_STRUCTURE_TYPE_SUBMIT_INFO};
  info.commandBufferCount = 1;
  info.pCommandBuffers = &slot.commands;
  if (drawn) {
    info.waitSemaphoreCount = info.signalSemaphoreCount = 1;
    info.pWaitSemaphores = &slot.acquired;
    info.pSignalSemaphores = &drawn;
    info.pWaitDstStageMask = &stage;
  }
  require(vkQueueSubmit(gpu_.queue, 1, &info, slot.finished), "vkQueueSubmit");
  slot.submitted = true;
}

}  // namespace gpu
