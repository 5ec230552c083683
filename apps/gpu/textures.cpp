#include "gpu/textures.hpp"

#include <algorithm>

#include "gpu/frames.hpp"
#include "proxel/error.hpp"

namespace gpu {
namespace {

constexpr std::uint32_t most_pictures = 4096;

// Dear ImGui's type for a texture is a pointer or an integer, as its version has it.
ImTextureID id_of(VkDescriptorSet set) { return (ImTextureID)(reinterpret_cast<std::uintptr_t>(set)); }

}  // namespace

Textures::Textures(Gpu& gpu) : gpu_(gpu) {
  for (const Filter filter : {Filter::smooth, Filter::nearest}) {
    VkSamplerCreateInfo info{VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
    info.magFilter = info.minFilter = filter == Filter::smooth ? VK_FILTER_LINEAR : VK_FILTER_NEAREST;
    info.addressModeU = info.addressModeV = info.addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
    require(vkCreateSampler(gpu.device, &info, nullptr, &samplers_[static_cast<int>(filter)]), "vkCreateSampler");
  }
  VkDescriptorSetLayoutBinding binding{};
  binding.descriptorType = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
  binding.descriptorCount = 1;
  binding.stageFlags = VK_SHADER_STAGE_FRAGMENT_BIT;
  VkDescriptorSetLayoutCreateInfo layout{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
  layout.bindingCount = 1;
  layout.pBindings = &binding;
  require(vkCreateDescriptorSetLayout(gpu.device, &layout, nullptr, &set_layout_), "vkCreateDescriptorSetLayout");
  const VkDescriptorPoolSize size{VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, most_pictures};
  VkDescriptorPoolCreateInfo pool{VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO};
  pool.flags = VK_DESCRIPTOR_POOL_CREATE_FREE_DESCRIPTOR_SET_BIT;
  pool.maxSets = most_pictures;
  pool.poolSizeCount = 1;
  pool.pPoolSizes = &size;
  require(vkCreateDescriptorPool(gpu.device, &pool, nullptr, &pool_), "vkCreateDescriptorPool");
}

Textures::~Textures() {
  vkDeviceWaitIdle(gpu_.device);
  vkDestroyDescriptorPool(gpu_.device, pool_, nullptr);
  vkDestroyDescriptorSetLayout(gpu_.device, set_layout_, nullptr);
  for (const VkSampler sampler : samplers_) vkDestroySampler(gpu_.device, sampler, nullptr);
  // Images and buffers are freed with the device.
}

Picture Textures::create(std::uint32_t width, std::uint32_t height, Filter filter) {
  if (width == 0 || height == 0 || std::max(width, height) > most_side())
    throw proxel::Error(proxel::ErrorCode::unsupported, "picture",
                        std::to_string(width) + " × " + std::to_string(height) + " pixels; 1 to " +
                            std::to_string(most_side()) + " a side can be shown");
  const GpuImage image = gpu_.create_image({width, height}, VK_FORMAT_R8G8B8A8_UNORM,
                                           VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT);
  return describe(image, image.view, image.extent, filter);
}

Picture Textures::describe(const GpuImage& image, VkImageView view, VkExtent2D extent, Filter filter) {
  Texture texture;
  texture.image = image;
  VkDescriptorSetAllocateInfo info{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO};
  info.descriptorPool = pool_;
  info.descriptorSetCount = 1;
  info.pSetLayouts = &set_layout_;
  require(vkAllocateDescriptorSets(gpu_.device, &info, &texture.set), "vkAllocateDescriptorSets");
  const VkDescriptorImageInfo shown{samplers_[static_cast<int>(filter)], view,
                                    VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
  VkWriteDescriptorSet write{VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET};
  write.dstSet = texture.set;
  write.descriptorCount = 1;
  write.descriptorType = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
  write.pImageInfo = &shown;
  vkUpdateDescriptorSets(gpu_.device, 1, &write, 0, nullptr);
  const ImTextureID id = id_of(texture.set);
  textures_[id] = texture;
  return {id, extent.width, extent.height};
}

std::uint8_t* Textures::stage(const Picture& picture, std::uint32_t x, std::uint32_t y, std::uint32_t width,
                              std::uint32_t height) {
  if (!textures_.contains(picture.id) || width > picture.width - x || height > picture.height - y)
    throw proxel::Error(proxel::ErrorCode::invalid_argument, "picture", "the part does not lie within it");
  Copy copy{picture.id, gpu_.create_buffer(std::uint64_t{width} * height * 4, true), {}};
  copy.region.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
  copy.region.imageOffset = {static_cast<std::int32_t>(x), static_cast<std::int32_t>(y), 0};
  copy.region.imageExtent = {width, height, 1};
  copies_.push_back(copy);
  return static_cast<std::uint8_t*>(copy.from.mapped);
}

Picture Textures::show(VkImageView view, VkExtent2D extent, Filter filter) {
  return describe({}, view, extent, filter);
}

void Textures::release(Picture& picture) {
  const auto found = textures_.find(picture.id);
  if (found != textures_.end()) {
    retired_.push_back({frame_, found->second});
    textures_.erase(found);
  }
  picture = {};
}

void Textures::load_fonts() {
  ImFontAtlas& fonts = *ImGui::GetIO().Fonts;
  unsigned char* pixels = nullptr;
  int width = 0, height = 0;
  fonts.GetTexDataAsRGBA32(&pixels, &width, &height);
  release(fonts_);
  fonts_ = create(static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height), Filter::smooth);
  std::copy_n(pixels, std::size_t{fonts_.width} * fonts_.height * 4, stage(fonts_, 0, 0, fonts_.width, fonts_.height));
  fonts.SetTexID(fonts_.id);
  fonts.ClearTexData();
}

void Textures::record(VkCommandBuffer commands) {
  ++frame_;
  for (const Copy& copy : copies_) {
    const auto found = textures_.find(copy.id);
    if (found != textures_.end()) {
      Texture& texture = found->second;
      const VkImage image = texture.image.handle;
      transition(commands, image,
                 texture.written ? VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL : VK_IMAGE_LAYOUT_UNDEFINED,
                 VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
      vkCmdCopyBufferToImage(commands, copy.from.handle, image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &copy.region);
      transition(commands, image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
      texture.written = true;
    }
    retired_buffers_.push_back({frame_, copy.from});
  }
  copies_.clear();
  // The frame that had this one's slot before is over.
  const auto over = [this](std::uint64_t frame) { return frame + frames_in_flight < frame_; };
  for (; !retired_.empty() && over(retired_.front().frame); retired_.pop_front()) {
    const Texture& texture = retired_.front().thing;
    vkFreeDescriptorSets(gpu_.device, pool_, 1, &texture.set);
    if (texture.image.handle) gpu_.destroy(texture.image);
  }
  for (; !retired_buffers_.empty() && over(retired_buffers_.front().frame); retired_buffers_.pop_front())
    gpu_.destroy(retired_buffers_.front().thing);
}

}  // namespace gpu
