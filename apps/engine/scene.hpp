#pragma once

#include <memory>

#include "gpu/target.hpp"
#include "neighbors.hpp"

namespace engine {

/// The engine's own passes: points that drift, and a picture of them.
class Scene {
 public:
  Scene(Gpu& gpu, VkExtent2D extent);
  ~Scene();
  Scene(const Scene&) = delete;
  Scene& operator=(const Scene&) = delete;

  /// Other points, the same every time, so that runs can be compared. No work on the ones before may be left.
  void place(std::uint32_t points, std::uint32_t dimensions);

  const GpuBuffer& points() const { return points_; }
  /// Where the queue does graphics.
  const gpu::Target& target() const { return *target_; }

  void record_move(VkCommandBuffer commands, float seconds) const;
  /// Within the render pass of the target.
  /// @param frame  its number, which says where a layout stands
  /// @param lines  to the neighbours, too
  void record_draw(VkCommandBuffer commands, const Neighbors& neighbors, std::uint64_t frame, float angle,
                   bool lines) const;

 private:
  Gpu& gpu_;
  std::uint32_t count_ = 0, dimensions_ = 0;
  GpuBuffer points_, velocities_;
  VkPipelineLayout move_layout_ = VK_NULL_HANDLE, draw_layout_ = VK_NULL_HANDLE;
  VkPipeline move_ = VK_NULL_HANDLE, points_pipeline_ = VK_NULL_HANDLE, edges_pipeline_ = VK_NULL_HANDLE;
  std::unique_ptr<gpu::Target> target_;
};

}  // namespace engine
