#pragma once

#include <array>

#include <imgui.h>

#include "gpu/frames.hpp"
#include "gpu/target.hpp"

namespace gpu {

/// Draws what Dear ImGui has put together. Its own Vulkan backend calls functions that are linked, which
/// a program with volk has not; and that of version 1.86, which Debian 12 has, shows no picture but the font's.
class Paint {
 public:
  Paint(Gpu& gpu, VkRenderPass render_pass, VkDescriptorSetLayout textures);
  /// Within the render pass of a target.
  /// @param slot  of the frames in flight, whose work before is over
  void draw(VkCommandBuffer commands, const ImDrawData& data, VkExtent2D extent, std::uint32_t slot);

 private:
  struct Geometry {
    GpuBuffer vertices, indices;
  };

  Gpu& gpu_;
  VkPipelineLayout layout_ = VK_NULL_HANDLE;
  VkPipeline pipeline_ = VK_NULL_HANDLE;
  std::array<Geometry, frames_in_flight> geometry_;
};

}  // namespace gpu
