#pragma once

#include <span>

#include "gpu/gpu.hpp"

namespace gpu {

/// A picture that passes draw into. It is in the layout of a colour attachment before and behind
/// its render pass; those who draw move it between layouts.
class Target {
 public:
  static constexpr VkFormat format = VK_FORMAT_R8G8B8A8_UNORM;

  /// @param usage  beside being drawn into: VK_IMAGE_USAGE_TRANSFER_SRC_BIT, VK_IMAGE_USAGE_SAMPLED_BIT
  Target(Gpu& gpu, VkExtent2D extent, VkImageUsageFlags usage);
  /// No submitted work may use it any more.
  ~Target();
  Target(const Target&) = delete;
  Target& operator=(const Target&) = delete;

  const GpuImage& picture() const { return picture_; }
  VkExtent2D extent() const { return picture_.extent; }
  VkRenderPass render_pass() const { return render_pass_; }
  /// Clears the picture and begins its render pass, with viewport and scissor around all of it.
  void begin(VkCommandBuffer commands, VkClearColorValue background) const;
  /// Moves the picture from one layout to another.
  void transition(VkCommandBuffer commands, VkImageLayout from, VkImageLayout to) const;

 private:
  Gpu& gpu_;
  GpuImage picture_;
  VkRenderPass render_pass_ = VK_NULL_HANDLE;
  VkFramebuffer framebuffer_ = VK_NULL_HANDLE;
};

using Spirv = std::span<const std::uint32_t>;

/// A pipeline whose vertex shader fetches all it needs by address, with alpha blending, dynamic
/// viewport and scissor, for every target. It is destroyed with the device.
VkPipeline create_graphics_pipeline(Gpu& gpu, VkRenderPass render_pass, VkPipelineLayout layout, Spirv vertex,
                                    Spirv fragment, VkPrimitiveTopology topology);

}  // namespace gpu
