#pragma once

#include <memory>
#include <vector>

#include "gpu/swapchain.hpp"

namespace engine {

using gpu::Gpu;

/// A window and the images that are shown in it.
class Window {
 public:
  virtual ~Window() = default;

  virtual std::vector<const char*> instance_extensions() const = 0;
  virtual bool presents(VkInstance instance, VkPhysicalDevice device, std::uint32_t family) const = 0;
  /// Makes the images, of the window's size. Whether the device presents to it.
  virtual bool attach(Gpu& gpu) = 0;
  /// Before the device ends.
  virtual void detach() = 0;
  /// Takes what has happened to it. Whether it is to end.
  virtual bool closed() = 0;
  /// The next image to show, its number; waits for none. Null where the window has
  /// changed and was attached anew: this frame is not shown.
  virtual VkImage acquire(VkSemaphore acquired, std::uint32_t& number) = 0;
  /// To be signalled when the image is drawn, and waited for by present().
  virtual VkSemaphore drawn(std::uint32_t number) const = 0;
  virtual void present(std::uint32_t number) = 0;
  virtual VkExtent2D extent() const = 0;
  /// 1 at 96 dots per inch.
  virtual float scale() const = 0;

  /// Mouse and keyboard go to Dear ImGui from now on; before each of its frames; until now.
  virtual void connect() = 0;
  virtual void feed() = 0;
  virtual void disconnect() = 0;
};

/// Null where there is no display with Vulkan, or none was built in.
std::unique_ptr<Window> open_window(VkExtent2D extent, const char* title);

}  // namespace engine
