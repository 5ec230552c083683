#pragma once

#include <memory>
#include <vector>

#include "gpu/swapchain.hpp"

struct GLFWwindow;

namespace engine {

using gpu::Gpu;

/// A window and the images that are shown in it.
class Window {
 public:
  /// Whether there is a display with Vulkan to open a window on.
  static bool available();
  static std::vector<const char*> instance_extensions();

  Window(VkExtent2D extent, const char* title);
  ~Window();
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  /// Makes the images, of the window's size. Whether the device presents to it.
  bool attach(Gpu& gpu);
  /// Before the device ends.
  void detach() { swapchain_.reset(); }
  bool closed() const;
  /// The next image to show, its number; waits for none. Null where the window has
  /// changed and was attached anew: this frame is not shown.
  VkImage acquire(VkSemaphore acquired, std::uint32_t& number);
  void present(std::uint32_t number, VkSemaphore drawn);
  VkExtent2D extent() const { return swapchain_->extent(); }

 private:
  GLFWwindow* window_ = nullptr;
  VkExtent2D wanted_;
  std::unique_ptr<gpu::Swapchain> swapchain_;
};

}  // namespace engine
