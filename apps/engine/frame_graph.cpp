#include "frame_graph.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace engine {
namespace {

constexpr VkAccessFlags any_write = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT |
                                    VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT | VK_ACCESS_HOST_WRITE_BIT;

VkImageMemoryBarrier layout_change(VkImage image, VkImageLayout from, VkAccessFlags written, const Use& use) {
  VkImageMemoryBarrier barrier{VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER};
  barrier.srcAccessMask = written;
  barrier.dstAccessMask = use.access;
  barrier.oldLayout = from;
  barrier.newLayout = use.layout;
  barrier.srcQueueFamilyIndex = barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
  barrier.image = image;
  barrier.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
  return barrier;
}

}  // namespace

std::string names_of(VkPipelineStageFlags stages) {
  constexpr std::pair<VkPipelineStageFlags, const char*> known[] = {
      {VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, "compute"},
      {VK_PIPELINE_STAGE_TRANSFER_BIT, "copy"},
      {VK_PIPELINE_STAGE_VERTEX_SHADER_BIT, "vertex"},
      {VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT, "colour"},
      {VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, "end"}};
  std::vector<std::string> names;
  for (const auto& [stage, name] : known)
    if (stages & stage) names.emplace_back(name);
  return fmt::format("{}", fmt::join(names, " "));
}

bool Use::writes() const { return (access & any_write) != 0; }

void FrameGraph::record(VkCommandBuffer commands, FrameTimes& times, std::uint32_t slot, bool within) {
  times.begin(commands, slot);
  for (std::size_t i = 0; i < passes_.size(); ++i) {
    record_barrier(commands, i);
    const bool inside = within && passes_[i].by_proxel;
    times.end_pass(commands, slot, i,
                   passes_[i].record(commands, inside ? times.within(slot, i) : proxel::vulkan::Timestamps{}));
  }
}

void FrameGraph::record_barrier(VkCommandBuffer commands, std::size_t index) {
  Pass& pass = passes_[index];
  pass.waits.clear();
  VkPipelineStageFlags from_all = 0, to_all = 0;
  VkMemoryBarrier memory{VK_STRUCTURE_TYPE_MEMORY_BARRIER};
  std::vector<VkImageMemoryBarrier> images;
  for (const auto& [resource, use] : pass.uses) {
    const bool moves = resource->image_ && use.layout != resource->visible_.layout;
    const bool changes = use.writes() || moves;
    const bool seen = (use.stages & ~resource->visible_.stages) == 0 && (use.access & ~resource->visible_.access) == 0;
    const Use written = resource->written_;
    VkPipelineStageFlags from = changes ? written.stages | resource->read_ : written.stages;
    // The presentation engine's semaphore is waited for at this stage.
    if (moves && from == 0) from = use.stages;
    if (from != 0 && (changes || !seen)) {
      from_all |= from;
      to_all |= use.stages;
      if (moves) {
        images.push_back(layout_change(resource->image_, resource->visible_.layout, written.access & any_write, use));
      } else {
        memory.srcAccessMask |= written.access & any_write;
        memory.dstAccessMask |= use.access;
      }
      pass.waits.push_back({resource, from, use.stages,
                            changes && !resource->readers_.empty() ? resource->readers_ : resource->writer_});
    }
    if (changes) {
      resource->written_ = use;
      resource->visible_ = moves && !use.writes() ? use : Use{0, 0, use.layout};
      resource->read_ = use.writes() ? 0 : use.stages;
      resource->writer_ = {index};
      resource->readers_.clear();
    } else {
      resource->visible_.stages |= use.stages;
      resource->visible_.access |= use.access;
      resource->read_ |= use.stages;
      resource->readers_.push_back(index);
    }
  }
  if (from_all != 0)
    vkCmdPipelineBarrier(commands, from_all, to_all, 0, 1, &memory, 0, nullptr,
                         static_cast<std::uint32_t>(images.size()), images.data());
}

}  // namespace engine
