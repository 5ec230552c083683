#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <span>

#include <imgui.h>

#include "gpu/gpu.hpp"
#include "images/image.hpp"

namespace demo {

/// An image as a texture, for ImGui::Image(picture.id, …). A handle; its texture belongs to Pictures.
struct Picture {
  ImTextureID id{};
  std::uint32_t width = 0, height = 0;

  ImVec2 size() const { return {static_cast<float>(width), static_cast<float>(height)}; }
  explicit operator bool() const { return id != ImTextureID{}; }
};

/// How a picture is drawn larger or smaller than it is.
enum class Filter { smooth, nearest };

/// Images as textures. Copies to the device are recorded into the next frame; nothing waits.
class Pictures {
 public:
  explicit Pictures(gpu::Gpu& gpu);
  ~Pictures();
  Pictures(const Pictures&) = delete;
  Pictures& operator=(const Pictures&) = delete;

  /// Throws proxel::Error for a side that the device cannot have (most_side()).
  Picture load(const proxel::images::Image& image, Filter filter = Filter::smooth);
  /// Writes an image over a part of a picture, its left upper corner at (x, y).
  void update(const Picture& picture, const proxel::images::Image& part, std::uint32_t x = 0, std::uint32_t y = 0);
  /// What a tab draws itself, as a picture; it is in SHADER_READ_ONLY_OPTIMAL when the interface is
  /// drawn, and outlives the frames that show it: released, it is kept for two more.
  Picture show(VkImageView view, VkExtent2D extent, Filter filter = Filter::smooth);
  /// Frees it at the end of the frames that may still show it.
  void release(Picture& picture);
  std::uint32_t most_side() const { return gpu_.properties.limits.maxImageDimension2D; }

  // The shell's.
  /// The texture of the fonts, [height x width x 4]; the one before is released.
  ImTextureID load_font(std::span<const std::uint8_t> rgba, std::uint32_t width, std::uint32_t height);
  /// Records the copies, and frees what no frame shows any more. Once a frame.
  void record(VkCommandBuffer commands);
  VkDescriptorSetLayout set_layout() const { return set_layout_; }

 private:
  struct Texture {
    gpu::GpuImage image;  // null handle: a tab's own
    VkDescriptorSet set = VK_NULL_HANDLE;
    bool written = false;
  };
  struct Copy {
    ImTextureID id;
    gpu::GpuBuffer from;
    VkBufferImageCopy region;
  };
  template <typename Thing>
  struct Retired {
    std::uint64_t frame;
    Thing thing;
  };

  Picture create(std::uint32_t width, std::uint32_t height, Filter filter);
  Picture describe(const gpu::GpuImage& image, VkImageView view, VkExtent2D extent, Filter filter);
  std::uint8_t* stage(const Picture& picture, std::uint32_t x, std::uint32_t y, std::uint32_t width, std::uint32_t height);

  gpu::Gpu& gpu_;
  VkSampler samplers_[2]{};
  VkDescriptorSetLayout set_layout_ = VK_NULL_HANDLE;
  VkDescriptorPool pool_ = VK_NULL_HANDLE;
  std::map<ImTextureID, Texture> textures_;
  std::deque<Copy> copies_;
  std::deque<Retired<Texture>> retired_;
  std::deque<Retired<gpu::GpuBuffer>> retired_buffers_;
  Picture font_;
  std::uint64_t frame_ = 0;
};

}  // namespace demo
