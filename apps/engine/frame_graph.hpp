#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "frame_times.hpp"

namespace engine {

/// "compute copy", of those stages that occur here.
std::string names_of(VkPipelineStageFlags stages);

/// What a pass does with a resource.
struct Use {
  VkPipelineStageFlags stages = 0;
  VkAccessFlags access = 0;
  VkImageLayout layout = VK_IMAGE_LAYOUT_UNDEFINED;  ///< of an image
  /// Where proxel records: what it publishes of its edges.
  static Use of(const proxel::vulkan::Edge& edge) { return {edge.stages, edge.access}; }
  bool writes() const;
};

/// Memory that passes hand to each other, and what happened to it last; it stays
/// known from frame to frame, because barriers on a queue reach back over submissions.
class Resource {
 public:
  explicit Resource(const char* name, VkImage image = VK_NULL_HANDLE) : name_(name), image_(image) {}
  const char* name() const { return name_; }
  /// For a swapchain's image, which is another every frame and comes without contents.
  void reset(VkImage image) { *this = Resource(name_, image); }

 private:
  friend class FrameGraph;
  const char* name_;
  VkImage image_;
  Use written_;                                // last
  Use visible_;                                // to whom that has been made visible since
  VkPipelineStageFlags read_ = 0;              // by whom it has been read since
  std::vector<std::size_t> writer_, readers_;  // the passes that did so
};

/// Passes in their order, and the barriers between them.
class FrameGraph {
 public:
  /// What a pass waits for before it uses a resource.
  struct Wait {
    const Resource* resource = nullptr;
    VkPipelineStageFlags from = 0, to = 0;
    /// The passes that used it before; those that do not stand before this one did so in the frame before.
    std::vector<std::size_t> behind;
  };
  struct Pass {
    std::string name;
    bool by_proxel = false;  ///< who records it: proxel or the engine itself
    std::vector<std::pair<Resource*, Use>> uses;
    std::function<FrameTimes::Names(VkCommandBuffer, const proxel::vulkan::Timestamps&)> record;
    std::vector<Wait> waits = {};  ///< in the frame that was recorded last; one barrier is recorded for all of them
  };

  void add(Pass pass) { passes_.push_back(std::move(pass)); }
  const std::vector<Pass>& passes() const { return passes_; }
  /// @param within  whether the passes that proxel records inside its own are timed, too
  void record(VkCommandBuffer commands, FrameTimes& times, std::uint32_t slot, bool within);

 private:
  void record_barrier(VkCommandBuffer commands, std::size_t index);

  std::vector<Pass> passes_;
};

}  // namespace engine
