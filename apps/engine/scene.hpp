#pragma once

#include <string>

#include "gpu.hpp"
#include "neighbors.hpp"

namespace engine {

/// The engine's own passes: points that drift, and a picture of them.
class Scene {
 public:
  static constexpr VkFormat format = VK_FORMAT_R8G8B8A8_UNORM;

  Scene(Gpu& gpu, std::uint32_t points, std::uint32_t dimensions, VkExtent2D extent,
        std::uint32_t frames_in_flight);
  ~Scene();
  Scene(const Scene&) = delete;
  Scene& operator=(const Scene&) = delete;

  const GpuBuffer& points() const { return points_; }
  const GpuBuffer& velocities() const { return velocities_; }
  const GpuImage& picture() const { return picture_; }

  void record_move(VkCommandBuffer commands, float seconds) const;
  /// Where the queue does graphics.
  /// @param frame  of those in flight, whose text it is
  void record_draw(VkCommandBuffer commands, const Neighbors& neighbors, float angle, std::uint32_t frame) const;
  void set_text(std::uint32_t frame, const std::string& text);

 private:
  void create_pictures(VkExtent2D extent);
  VkPipeline create_pipeline(const std::uint32_t* vertex, std::size_t bytes, VkPipelineLayout layout,
                             VkPrimitiveTopology topology);

  Gpu& gpu_;
  std::uint32_t count_;
  std::uint32_t dimensions_;
  GpuBuffer points_, velocities_;
  VkPipelineLayout move_layout_ = VK_NULL_HANDLE, draw_layout_ = VK_NULL_HANDLE, text_layout_ = VK_NULL_HANDLE;
  VkPipeline move_ = VK_NULL_HANDLE, points_pipeline_ = VK_NULL_HANDLE, edges_pipeline_ = VK_NULL_HANDLE,
             text_pipeline_ = VK_NULL_HANDLE;
  GpuImage picture_;
  VkRenderPass render_pass_ = VK_NULL_HANDLE;
  VkFramebuffer framebuffer_ = VK_NULL_HANDLE;
  struct Text {
    GpuBuffer corners;
    std::uint32_t quads = 0;
  };
  std::vector<Text> texts_;  // one for each frame in flight
};

}  // namespace engine
