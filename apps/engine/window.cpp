#include "window.hpp"

// Vulkan's functions come from volk, and OpenGL's headers may be missing.
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

namespace engine {

bool Window::available() { return glfwInit() == GLFW_TRUE && glfwVulkanSupported() == GLFW_TRUE; }

std::vector<const char*> Window::instance_extensions() {
  std::uint32_t count = 0;
  const char** names = glfwGetRequiredInstanceExtensions(&count);
  return {names, names + count};
}

Window::Window(VkExtent2D extent, const char* title) : wanted_(extent) {
  glfwWindowHint(GLFW_CLIENT_API, GLFW_NO_API);
  glfwWindowHint(GLFW_RESIZABLE, GLFW_FALSE);
  window_ = glfwCreateWindow(static_cast<int>(extent.width), static_cast<int>(extent.height), title, nullptr, nullptr);
}

Window::~Window() {
  glfwDestroyWindow(window_);
  glfwTerminate();
}

bool Window::attach(Gpu& gpu) {
  VkSurfaceKHR surface = VK_NULL_HANDLE;
  gpu::require(glfwCreateWindowSurface(gpu.instance, window_, nullptr, &surface), "glfwCreateWindowSurface");
  swapchain_ = std::make_unique<gpu::Swapchain>(gpu, surface);
  return swapchain_->attach(wanted_);
}

bool Window::closed() const {
  glfwPollEvents();
  return glfwWindowShouldClose(window_) == GLFW_TRUE || glfwGetKey(window_, GLFW_KEY_ESCAPE) == GLFW_PRESS;
}

VkImage Window::acquire(VkSemaphore acquired, std::uint32_t& number) {
  const VkImage image = swapchain_->acquire(acquired, number);
  if (!image) swapchain_->attach(wanted_);
  return image;
}

void Window::present(std::uint32_t number, VkSemaphore drawn) { swapchain_->present(number, drawn); }

}  // namespace engine
