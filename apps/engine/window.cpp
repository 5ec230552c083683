#include "window.hpp"

// Vulkan's functions come from volk, and OpenGL's headers may be missing.
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <backends/imgui_impl_glfw.h>

namespace engine {
namespace {

class GlfwWindow : public Window {
 public:
  GlfwWindow(GLFWwindow* window, VkExtent2D extent) : window_(window), wanted_(extent) {}
  ~GlfwWindow() override {
    glfwDestroyWindow(window_);
    glfwTerminate();
  }

  std::vector<const char*> instance_extensions() const override {
    std::uint32_t count = 0;
    const char** names = glfwGetRequiredInstanceExtensions(&count);
    return {names, names + count};
  }

  bool presents(VkInstance instance, VkPhysicalDevice device, std::uint32_t family) const override {
    return glfwGetPhysicalDevicePresentationSupport(instance, device, family) == GLFW_TRUE;
  }

  bool attach(Gpu& gpu) override {
    VkSurfaceKHR surface = VK_NULL_HANDLE;
    gpu::require(glfwCreateWindowSurface(gpu.instance, window_, nullptr, &surface), "glfwCreateWindowSurface");
    swapchain_ = std::make_unique<gpu::Swapchain>(gpu, surface);
    return swapchain_->attach(wanted_);
  }
  void detach() override { swapchain_.reset(); }

  bool closed() override {
    glfwPollEvents();
    return glfwWindowShouldClose(window_) == GLFW_TRUE || glfwGetKey(window_, GLFW_KEY_ESCAPE) == GLFW_PRESS;
  }

  VkImage acquire(VkSemaphore acquired, std::uint32_t& number) override {
    const VkImage image = swapchain_->acquire(acquired, number);
    if (!image) swapchain_->attach(wanted_);
    return image;
  }
  VkSemaphore drawn(std::uint32_t number) const override { return swapchain_->drawn(number); }
  void present(std::uint32_t number) override { swapchain_->present(number); }
  VkExtent2D extent() const override { return swapchain_->extent(); }

  float scale() const override {
    float x = 1, y = 1;
    glfwGetWindowContentScale(window_, &x, &y);
    return x;
  }

  void connect() override { ImGui_ImplGlfw_InitForVulkan(window_, true); }
  void feed() override { ImGui_ImplGlfw_NewFrame(); }
  void disconnect() override { ImGui_ImplGlfw_Shutdown(); }

 private:
  GLFWwindow* window_;
  VkExtent2D wanted_;
  std::unique_ptr<gpu::Swapchain> swapchain_;
};

}  // namespace

std::unique_ptr<Window> open_window(VkExtent2D extent, const char* title) {
  if (!glfwInit()) return nullptr;
  glfwWindowHint(GLFW_CLIENT_API, GLFW_NO_API);
  glfwWindowHint(GLFW_RESIZABLE, GLFW_FALSE);
  GLFWwindow* window =
      glfwVulkanSupported()
          ? glfwCreateWindow(static_cast<int>(extent.width), static_cast<int>(extent.height), title, nullptr, nullptr)
          : nullptr;
  if (window) return std::make_unique<GlfwWindow>(window, extent);
  glfwTerminate();
  return nullptr;
}

}  // namespace engine
