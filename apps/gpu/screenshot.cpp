#include "gpu/screenshot.hpp"

#include <cstring>

#include "gpu/write_file.hpp"
#include "proxel/error.hpp"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wunused-function"
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#include <stb/stb_image_write.h>
#pragma GCC diagnostic pop

namespace gpu {
namespace {

// Runs what `record` writes down, behind everything submitted before.
template <typename Record>
std::vector<std::byte> copied(Gpu& gpu, std::uint64_t bytes, const Record& record) {
  const GpuBuffer host = gpu.create_buffer(bytes, true);
  const VkCommandBuffer commands = gpu.begin();
  VkMemoryBarrier barrier{VK_STRUCTURE_TYPE_MEMORY_BARRIER};
  barrier.srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT;
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 1, &barrier, 0,
                       nullptr, 0, nullptr);
  record(commands, host);
  barrier.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_HOST_READ_BIT;
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &barrier, 0, nullptr,
                       0, nullptr);
  gpu.finish(commands);
  std::vector<std::byte> contents(bytes);
  std::memcpy(contents.data(), host.mapped, bytes);
  gpu.destroy(host);
  return contents;
}

}  // namespace

std::vector<std::byte> read_back(Gpu& gpu, const GpuBuffer& buffer) {
  return copied(gpu, buffer.bytes, [&](VkCommandBuffer commands, const GpuBuffer& host) {
    const VkBufferCopy whole{0, 0, buffer.bytes};
    vkCmdCopyBuffer(commands, buffer.handle, host.handle, 1, &whole);
  });
}

std::vector<std::byte> read_pixels(Gpu& gpu, const GpuImage& picture) {
  const VkExtent2D extent = picture.extent;
  const std::uint64_t bytes = std::uint64_t{extent.width} * extent.height * 4;
  return copied(gpu, bytes, [&](VkCommandBuffer commands, const GpuBuffer& host) {
    VkBufferImageCopy region{};
    region.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
    region.imageExtent = {extent.width, extent.height, 1};
    vkCmdCopyImageToBuffer(commands, picture.handle, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, host.handle, 1, &region);
  });
}

void write_screenshot(Gpu& gpu, const GpuImage& picture, const std::string& path) {
  const VkExtent2D extent = picture.extent;
  const auto pixels = read_pixels(gpu, picture);
  std::string png;
  const auto append = [](void* to, void* bytes, int count) {
    static_cast<std::string*>(to)->append(static_cast<const char*>(bytes), static_cast<std::size_t>(count));
  };
  if (stbi_write_png_to_func(append, &png, static_cast<int>(extent.width), static_cast<int>(extent.height), 4,
                             pixels.data(), static_cast<int>(extent.width) * 4) == 0)
    throw proxel::Error(proxel::ErrorCode::out_of_memory, path, "the picture could not be packed");
  write_file(path, png);
}

}  // namespace gpu
