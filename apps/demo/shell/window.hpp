#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gpu/swapchain.hpp"
#include "shell/input.hpp"

struct GLFWwindow;

namespace demo {

/// A window, what happens to it, and the images that are shown in it.
class Window {
 public:
  /// Throws proxel::Error where there is no display, or none that shows what Vulkan draws.
  Window(VkExtent2D size, const char* title, Input& input);
  ~Window();
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  static std::vector<const char*> instance_extensions();
  static bool presents(VkInstance instance, VkPhysicalDevice device, std::uint32_t family);

  /// Throws proxel::Error where the device cannot show anything here.
  void attach(gpu::Gpu& gpu);
  /// Before the device ends.
  void detach() { swapchain_.reset(); }
  gpu::Swapchain& swapchain() { return *swapchain_; }
  /// Makes the images anew, of the window's size.
  void attach_anew();

  /// Takes what has happened; waits for it for so many seconds at most.
  void take_events(double seconds);
  /// Ends the waiting, from any thread.
  static void wake();
  bool closed() const;
  bool minimised() const;
  /// Whether something has happened since the last call.
  bool stirred();
  VkExtent2D size() const;
  float content_scale() const;
  void resize(VkExtent2D size);
  void toggle_full_screen();
  /// Files that were dropped since the last call.
  std::vector<std::string> dropped();
  void set_cursor(int imgui_cursor);

 private:
  struct Callbacks;

  Input& input_;
  GLFWwindow* window_ = nullptr;
  std::unique_ptr<gpu::Swapchain> swapchain_;
  bool stirred_ = true;
  std::vector<std::string> dropped_;
  int before_[4]{};  // place and size, of the window that is now as large as the screen
  int cursor_ = 0;
};

}  // namespace demo
