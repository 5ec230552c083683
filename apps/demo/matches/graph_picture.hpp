#pragma once

#include <memory>

#include "gpu/target.hpp"
#include "matches/graph_search.hpp"

namespace demo {

/// Draws a graph into a picture.
class GraphPicture {
 public:
  explicit GraphPicture(gpu::Gpu& gpu) : gpu_(gpu) {}

  /// Makes the picture anew, where it has another size. No submitted work may use it any more.
  void resize(VkExtent2D extent);

  struct Look {
    Camera camera;
    float scale = 1;  ///< pixels for each that a screen of 96 dots per inch would have
    bool light = false;
    VkClearColorValue background{};

    bool operator==(const Look& other) const;
  };
  /// Leaves the picture to fragment shaders that sample it.
  void record(VkCommandBuffer commands, const GraphSearch& graph, const Look& look);

  VkImageView view() const { return target_->picture().view; }
  /// Zero before resize().
  VkExtent2D extent() const { return target_ ? target_->extent() : VkExtent2D{}; }

 private:
  gpu::Gpu& gpu_;
  std::unique_ptr<gpu::Target> target_;
  bool drawn_ = false;
  VkPipelineLayout layout_ = VK_NULL_HANDLE;
  VkPipeline edges_ = VK_NULL_HANDLE, lines_ = VK_NULL_HANDLE, points_ = VK_NULL_HANDLE;
};

}  // namespace demo
