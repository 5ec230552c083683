#pragma once

#include <cstdint>
#include <deque>
#include <map>

#include <imgui.h>

#include "gpu/gpu.hpp"

namespace gpu {

/// A texture for ImGui::Image(picture.id, …). A handle; what is behind it belongs to Textures.
struct Picture {
  ImTextureID id{};
  std::uint32_t width = 0, height = 0;

  ImVec2 size() const { return {static_cast<float>(width), static_cast<float>(height)}; }
  explicit operator bool() const { return id != ImTextureID{}; }
};

/// How a picture is drawn larger or smaller than it is.
enum class Filter { smooth, nearest };

/// What Dear ImGui shows beside lines and boxes. Copies to the device are recorded into the next frame;
/// nothing waits.
class Textures {
 public:
  explicit Textures(Gpu& gpu);
  ~Textures();
  Textures(const Textures&) = delete;
  Textures& operator=(const Textures&) = delete;

  /// An empty texture. Throws proxel::Error for a side that the device cannot have (most_side()).
  Picture create(std::uint32_t width, std::uint32_t height, Filter filter);
  /// Memory that is copied into a part of a texture, its left upper corner at (x, y), by the next record():
  /// [height x width x 4]. Throws proxel::Error where the part does not lie within it.
  std::uint8_t* stage(const Picture& picture, std::uint32_t x, std::uint32_t y, std::uint32_t width,
                      std::uint32_t height);
  /// What the program draws itself, as a picture; it is in SHADER_READ_ONLY_OPTIMAL when the interface is
  /// drawn, and outlives the frames that show it: released, it is kept for two more.
  Picture show(VkImageView view, VkExtent2D extent, Filter filter = Filter::smooth);
  /// Frees it at the end of the frames that may still show it.
  void release(Picture& picture);
  std::uint32_t most_side() const { return gpu_.properties.limits.maxImageDimension2D; }

  /// The texture of ImGui::GetIO().Fonts; the one before is released.
  void load_fonts();
  /// Records the copies, and frees what no frame shows any more. Once a frame.
  void record(VkCommandBuffer commands);
  VkDescriptorSetLayout set_layout() const { return set_layout_; }

 private:
  struct Texture {
    GpuImage image;  // null handle: the program's own
    VkDescriptorSet set = VK_NULL_HANDLE;
    bool written = false;
  };
  struct Copy {
    ImTextureID id;
    GpuBuffer from;
    VkBufferImageCopy region;
  };
  template <typename Thing>
  struct Retired {
    std::uint64_t frame;
    Thing thing;
  };

  Picture describe(const GpuImage& image, VkImageView view, VkExtent2D extent, Filter filter);

  Gpu& gpu_;
  VkSampler samplers_[2]{};
  VkDescriptorSetLayout set_layout_ = VK_NULL_HANDLE;
  VkDescriptorPool pool_ = VK_NULL_HANDLE;
  std::map<ImTextureID, Texture> textures_;
  std::deque<Copy> copies_;
  std::deque<Retired<Texture>> retired_;
  std::deque<Retired<GpuBuffer>> retired_buffers_;
  Picture fonts_;
  std::uint64_t frame_ = 0;
};

}  // namespace gpu
