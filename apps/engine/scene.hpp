#pragma once

#include <memory>
#include <string>

#include "gpu/target.hpp"
#include "neighbors.hpp"

namespace engine {

/// The engine's own passes: points that drift, and a picture of them.
class Scene {
 public:
  Scene(Gpu& gpu, std::uint32_t points, std::uint32_t dimensions, VkExtent2D extent,
        std::uint32_t frames_in_flight);

  const GpuBuffer& points() const { return points_; }
  const GpuBuffer& velocities() const { return velocities_; }
  /// Where the queue does graphics.
  const gpu::Target& target() const { return *target_; }

  void record_move(VkCommandBuffer commands, float seconds) const;
  /// Where the queue does graphics.
  /// @param frame  of those in flight, whose text it is
  void record_draw(VkCommandBuffer commands, const Neighbors& neighbors, float angle, std::uint32_t frame) const;
  void set_text(std::uint32_t frame, const std::string& text);

 private:
  std::uint32_t count_;
  std::uint32_t dimensions_;
  GpuBuffer points_, velocities_;
  VkPipelineLayout move_layout_ = VK_NULL_HANDLE, draw_layout_ = VK_NULL_HANDLE, text_layout_ = VK_NULL_HANDLE;
  VkPipeline move_ = VK_NULL_HANDLE, points_pipeline_ = VK_NULL_HANDLE, edges_pipeline_ = VK_NULL_HANDLE,
             text_pipeline_ = VK_NULL_HANDLE;
  std::unique_ptr<gpu::Target> target_;
  struct Text {
    GpuBuffer corners;
    std::uint32_t quads = 0;
  };
  std::vector<Text> texts_;  // one for each frame in flight
};

}  // namespace engine
