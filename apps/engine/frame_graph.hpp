#pragma once

#include <functional>
#include <string>
#include <vector>

#include <volk.h>

#include "proxel/vulkan.hpp"

namespace engine {

/// What a pass does with a resource.
struct Use {
  VkPipelineStageFlags stages = 0;
  VkAccessFlags access = 0;
  VkImageLayout layout = VK_IMAGE_LAYOUT_UNDEFINED;  ///< of an image
  /// Where proxel records: what it publishes of its edges.
  static Use of(const proxel::vulkan::Edge& edge) { return {edge.stages, edge.access}; }
};

/// Memory that passes hand to each other, and what happened to it last; it stays
/// known from frame to frame, because barriers on a queue reach back over submissions.
class Resource {
 public:
  explicit Resource(VkImage image = VK_NULL_HANDLE) : image_(image) {}
  /// For a swapchain's image, which is another every frame and comes without contents.
  void reset(VkImage image) { *this = Resource(image); }

 private:
  friend class FrameGraph;
  VkImage image_;
  Use written_;               // last
  Use visible_;               // to whom that has been made visible since
  VkPipelineStageFlags read_ = 0;  // by whom it has been read since
};

/// Passes in their order, and the barriers between them.
class FrameGraph {
 public:
  struct Pass {
    std::string name;
    std::vector<std::pair<Resource*, Use>> uses;
    std::function<void(VkCommandBuffer)> record;
  };

  void add(Pass pass) { passes_.push_back(std::move(pass)); }
  const std::vector<Pass>& passes() const { return passes_; }
  /// Timestamps that record() writes: one before the passes, one behind each.
  std::uint32_t timestamps() const { return static_cast<std::uint32_t>(passes_.size()) + 1; }
  void record(VkCommandBuffer commands, VkQueryPool times, std::uint32_t first_time);

 private:
  std::vector<Pass> passes_;
};

}  // namespace engine
