#include "window.hpp"

#include <algorithm>

#include <GLFW/glfw3.h>

namespace engine {

bool Window::available() { return glfwInit() == GLFW_TRUE && glfwVulkanSupported() == GLFW_TRUE; }

std::vector<const char*> Window::instance_extensions() {
  std::uint32_t count = 0;
  const char** names = glfwGetRequiredInstanceExtensions(&count);
  return {names, names + count};
}

Window::Window(VkExtent2D extent, const char* title) : extent_(extent) {
  glfwWindowHint(GLFW_CLIENT_API, GLFW_NO_API);
  glfwWindowHint(GLFW_RESIZABLE, GLFW_FALSE);
  window_ = glfwCreateWindow(static_cast<int>(extent.width), static_cast<int>(extent.height), title, nullptr, nullptr);
}

Window::~Window() {
  glfwDestroyWindow(window_);
  glfwTerminate();
}

bool Window::attach(Gpu& gpu) {
  gpu_ = &gpu;
  if (!surface_) require(glfwCreateWindowSurface(gpu.instance, window_, nullptr, &surface_), "glfwCreateWindowSurface");
  VkBool32 presents = VK_FALSE;
  vkGetPhysicalDeviceSurfaceSupportKHR(gpu.physical_device, gpu.queue_family, surface_, &presents);
  if (!presents) return false;
  VkSurfaceCapabilitiesKHR can;
  require(vkGetPhysicalDeviceSurfaceCapabilitiesKHR(gpu.physical_device, surface_, &can),
          "vkGetPhysicalDeviceSurfaceCapabilitiesKHR");
  std::uint32_t count = 0;
  vkGetPhysicalDeviceSurfaceFormatsKHR(gpu.physical_device, surface_, &count, nullptr);
  std::vector<VkSurfaceFormatKHR> formats(count);
  vkGetPhysicalDeviceSurfaceFormatsKHR(gpu.physical_device, surface_, &count, formats.data());
  const auto plain = std::find_if(formats.begin(), formats.end(), [](const VkSurfaceFormatKHR& format) {
    return format.format == VK_FORMAT_B8G8R8A8_UNORM || format.format == VK_FORMAT_R8G8B8A8_UNORM;
  });
  if (plain == formats.end() || !(can.supportedUsageFlags & VK_IMAGE_USAGE_TRANSFER_DST_BIT)) return false;
  extent_.width = std::clamp(extent_.width, can.minImageExtent.width, can.maxImageExtent.width);
  extent_.height = std::clamp(extent_.height, can.minImageExtent.height, can.maxImageExtent.height);

  VkSwapchainCreateInfoKHR info{VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR};
  info.surface = surface_;
  info.minImageCount = can.minImageCount + 1;
  if (can.maxImageCount != 0) info.minImageCount = std::min(info.minImageCount, can.maxImageCount);
  info.imageFormat = plain->format;
  info.imageColorSpace = plain->colorSpace;
  info.imageExtent = extent_;
  info.imageArrayLayers = 1;
  info.imageUsage = VK_IMAGE_USAGE_TRANSFER_DST_BIT;
  info.preTransform = can.currentTransform;
  info.compositeAlpha = VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR;
  info.presentMode = VK_PRESENT_MODE_FIFO_KHR;
  info.clipped = VK_TRUE;
  info.oldSwapchain = swapchain_;
  VkSwapchainKHR made = VK_NULL_HANDLE;
  require(vkCreateSwapchainKHR(gpu.device, &info, nullptr, &made), "vkCreateSwapchainKHR");
  vkDestroySwapchainKHR(gpu.device, swapchain_, nullptr);
  swapchain_ = made;
  require(vkGetSwapchainImagesKHR(gpu.device, swapchain_, &count, nullptr), "vkGetSwapchainImagesKHR");
  images_.resize(count);
  require(vkGetSwapchainImagesKHR(gpu.device, swapchain_, &count, images_.data()), "vkGetSwapchainImagesKHR");
  return true;
}

void Window::detach() {
  vkDestroySwapchainKHR(gpu_->device, swapchain_, nullptr);
  vkDestroySurfaceKHR(gpu_->instance, surface_, nullptr);
}

bool Window::closed() const {
  glfwPollEvents();
  return glfwWindowShouldClose(window_) == GLFW_TRUE || glfwGetKey(window_, GLFW_KEY_ESCAPE) == GLFW_PRESS;
}

VkImage Window::acquire(VkSemaphore acquired, std::uint32_t& number) {
  const VkResult result = vkAcquireNextImageKHR(gpu_->device, swapchain_, UINT64_MAX, acquired, VK_NULL_HANDLE, &number);
  if (result == VK_ERROR_OUT_OF_DATE_KHR) {
    vkDeviceWaitIdle(gpu_->device);
    attach(*gpu_);
    return VK_NULL_HANDLE;
  }
  if (result != VK_SUBOPTIMAL_KHR) require(result, "vkAcquireNextImageKHR");
  return images_[number];
}

void Window::present(std::uint32_t number, VkSemaphore drawn) {
  VkPresentInfoKHR info{VK_STRUCTURE_TYPE_PRESENT_INFO_KHR};
  info.waitSemaphoreCount = 1;
  info.pWaitSemaphores = &drawn;
  info.swapchainCount = 1;
  info.pSwapchains = &swapchain_;
  info.pImageIndices = &number;
  const VkResult result = vkQueuePresentKHR(gpu_->queue, &info);
  if (result != VK_SUBOPTIMAL_KHR && result != VK_ERROR_OUT_OF_DATE_KHR) require(result, "vkQueuePresentKHR");
}

}  // namespace engine
