#pragma once

#include <vector>

#include "gpu/gpu.hpp"

namespace gpu {

/// The images that are shown in a window's surface. They are written by copies.
class Swapchain {
 public:
  /// Takes the surface, which is destroyed with it.
  Swapchain(Gpu& gpu, VkSurfaceKHR surface) : gpu_(gpu), surface_(surface) {}
  ~Swapchain();
  Swapchain(const Swapchain&) = delete;
  Swapchain& operator=(const Swapchain&) = delete;

  /// Makes the images, as near to that size as the surface allows. Whether the device presents to it.
  bool attach(VkExtent2D wanted);
  /// The next image to show, its number. Null where the surface has changed: attach anew,
  /// this frame is not shown.
  VkImage acquire(VkSemaphore acquired, std::uint32_t& number);
  /// To be signalled when the image with that number is drawn. Each image has its own: its present may still wait for
  /// it when a frame that shows another image is submitted.
  VkSemaphore drawn(std::uint32_t number) const { return images_[number].drawn; }
  /// Shows the image when it is drawn. Whether the surface still has the images' size.
  bool present(std::uint32_t number);
  VkExtent2D extent() const { return extent_; }

 private:
  struct Image {
    VkImage handle;  // the swapchain's
    VkSemaphore drawn = VK_NULL_HANDLE;
  };

  // Nothing may be on its way.
  void destroy();

  Gpu& gpu_;
  VkSurfaceKHR surface_;
  VkSwapchainKHR swapchain_ = VK_NULL_HANDLE;
  VkExtent2D extent_{};
  std::vector<Image> images_;
};

}  // namespace gpu
