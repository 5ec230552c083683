#include "frame_graph.hpp"

namespace engine {
namespace {

constexpr VkAccessFlags writes = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT |
                                 VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT | VK_ACCESS_HOST_WRITE_BIT;

// What one pass has to wait for.
struct Barrier {
  VkPipelineStageFlags from = 0;
  VkPipelineStageFlags to = 0;
  VkMemoryBarrier memory{VK_STRUCTURE_TYPE_MEMORY_BARRIER};
  std::vector<VkImageMemoryBarrier> images;
};

}  // namespace

void FrameGraph::record(VkCommandBuffer commands, VkQueryPool times, std::uint32_t first_time) {
  vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, times, first_time);
  for (const Pass& pass : passes_) {
    Barrier barrier;
    for (const auto& [resource, use] : pass.uses) {
      const bool moves = resource->image_ && use.layout != resource->visible_.layout;
      const bool changes = (use.access & writes) != 0 || moves;
      const bool seen = (use.stages & ~resource->visible_.stages) == 0 &&
                        (use.access & ~resource->visible_.access) == 0;
      const Use written = resource->written_;
      VkPipelineStageFlags from = changes ? written.stages | resource->read_ : written.stages;
      if (moves) {
        VkImageMemoryBarrier image{VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER};
        image.srcAccessMask = written.access & writes;
        image.dstAccessMask = use.access;
        image.oldLayout = resource->visible_.layout;
        image.newLayout = use.layout;
        image.srcQueueFamilyIndex = image.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
        image.image = resource->image_;
        image.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
        barrier.images.push_back(image);
        // The presentation engine's semaphore is waited for at this stage.
        if (from == 0) from = use.stages;
        barrier.from |= from;
        barrier.to |= use.stages;
      } else if (from != 0 && (changes || !seen)) {
        barrier.from |= from;
        barrier.to |= use.stages;
        barrier.memory.srcAccessMask |= written.access & writes;
        barrier.memory.dstAccessMask |= use.access;
      }
      if (changes) {
        resource->written_ = use;
        resource->visible_ = moves && !(use.access & writes) ? use : Use{0, 0, use.layout};
        resource->read_ = (use.access & writes) ? 0 : use.stages;
      } else {
        resource->visible_.stages |= use.stages;
        resource->visible_.access |= use.access;
        resource->read_ |= use.stages;
      }
    }
    if (barrier.from != 0)
      vkCmdPipelineBarrier(commands, barrier.from, barrier.to, 0, 1, &barrier.memory, 0, nullptr,
                           static_cast<std::uint32_t>(barrier.images.size()), barrier.images.data());
    pass.record(commands);
    vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, times,
                        first_time + static_cast<std::uint32_t>(&pass - passes_.data()) + 1);
  }
}

}  // namespace engine
