#include "gpu/swapchain.hpp"

#include <algorithm>

namespace gpu {

Swapchain::~Swapchain() {
  vkDeviceWaitIdle(gpu_.device);
  destroy();
  vkDestroySurfaceKHR(gpu_.instance, surface_, nullptr);
}

void Swapchain::destroy() {
  vkDestroySwapchainKHR(gpu_.device, swapchain_, nullptr);
  for (const Image& image : images_) vkDestroySemaphore(gpu_.device, image.drawn, nullptr);
  images_.clear();
}

bool Swapchain::attach(VkExtent2D wanted) {
  VkBool32 presents = VK_FALSE;
  vkGetPhysicalDeviceSurfaceSupportKHR(gpu_.physical_device, gpu_.queue_family, surface_, &presents);
  if (!presents) return false;
  vkDeviceWaitIdle(gpu_.device);
  VkSurfaceCapabilitiesKHR can;
  require(vkGetPhysicalDeviceSurfaceCapabilitiesKHR(gpu_.physical_device, surface_, &can),
          "vkGetPhysicalDeviceSurfaceCapabilitiesKHR");
  std::uint32_t count = 0;
  vkGetPhysicalDeviceSurfaceFormatsKHR(gpu_.physical_device, surface_, &count, nullptr);
  std::vector<VkSurfaceFormatKHR> formats(count);
  vkGetPhysicalDeviceSurfaceFormatsKHR(gpu_.physical_device, surface_, &count, formats.data());
  const auto plain = std::find_if(formats.begin(), formats.end(), [](const VkSurfaceFormatKHR& format) {
    return format.format == VK_FORMAT_B8G8R8A8_UNORM || format.format == VK_FORMAT_R8G8B8A8_UNORM;
  });
  if (plain == formats.end() || !(can.supportedUsageFlags & VK_IMAGE_USAGE_TRANSFER_DST_BIT)) return false;
  extent_.width = std::clamp(wanted.width, can.minImageExtent.width, can.maxImageExtent.width);
  extent_.height = std::clamp(wanted.height, can.minImageExtent.height, can.maxImageExtent.height);

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
  require(vkCreateSwapchainKHR(gpu_.device, &info, nullptr, &made), "vkCreateSwapchainKHR");
  destroy();
  swapchain_ = made;
  require(vkGetSwapchainImagesKHR(gpu_.device, swapchain_, &count, nullptr), "vkGetSwapchainImagesKHR");
  std::vector<VkImage> handles(count);
  require(vkGetSwapchainImagesKHR(gpu_.device, swapchain_, &count, handles.data()), "vkGetSwapchainImagesKHR");
  for (const VkImage handle : handles) {
    Image& image = images_.emplace_back(Image{handle});
    const VkSemaphoreCreateInfo semaphore{VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, nullptr, 0};
    require(vkCreateSemaphore(gpu_.device, &semaphore, nullptr, &image.drawn), "vkCreateSemaphore");
  }
  return true;
}

VkImage Swapchain::acquire(VkSemaphore acquired, std::uint32_t& number) {
  const VkResult result = vkAcquireNextImageKHR(gpu_.device, swapchain_, UINT64_MAX, acquired, VK_NULL_HANDLE, &number);
  if (result == VK_ERROR_OUT_OF_DATE_KHR) return VK_NULL_HANDLE;
  if (result != VK_SUBOPTIMAL_KHR) require(result, "vkAcquireNextImageKHR");
  return images_[number].handle;
}

bool Swapchain::present(std::uint32_t number) {
  VkPresentInfoKHR info{VK_STRUCTURE_TYPE_PRESENT_INFO_KHR};
  info.waitSemaphoreCount = 1;
  info.pWaitSemaphores = &images_[number].drawn;
  info.swapchainCount = 1;
  info.pSwapchains = &swapchain_;
  info.pImageIndices = &number;
  const VkResult result = vkQueuePresentKHR(gpu_.queue, &info);
  if (result == VK_ERROR_OUT_OF_DATE_KHR || result == VK_SUBOPTIMAL_KHR) return false;
  require(result, "vkQueuePresentKHR");
  return true;
}

}  // namespace gpu
