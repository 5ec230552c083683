#pragma once

#include <map>
#include <string>
#include <tuple>

#include "functions.hpp"
#include "proxel/pass.hpp"

namespace proxel::vulkan {

/// The compute pipelines of one device, made when a pass is first prepared.
/// All share one layout: 128 bytes of push constants, and a storage image in
/// binding 0 of set 0 and of set 1 for the passes that use textures.
class Pipelines {
 public:
  /// @param directory  where the cache is kept between runs; empty: nowhere
  /// @param external   the caller's cache to use instead, or null
  /// @param keep_loops compile loops as they are, without the shaders' wish to unroll them
  Pipelines(const VolkDeviceTable& table, VkDevice device, const std::string& cache_file,
            VkPipelineCache external, bool keep_loops);
  ~Pipelines();
  Pipelines(const Pipelines&) = delete;
  Pipelines& operator=(const Pipelines&) = delete;

  VkPipelineLayout layout() const { return layout_; }
  VkDescriptorSetLayout image_set_layout() const { return image_set_layout_; }
  /// The pipeline of a pass; makes it if need be.
  VkPipeline get(const Pass& pass);

 private:
  using Variant = std::tuple<std::string_view, std::string_view, std::array<std::uint32_t, 4>, std::uint32_t>;

  VkShaderModule module(const std::string& name);
  void load_cache();
  void save_cache() const;

  const VolkDeviceTable& table_;
  VkDevice device_;
  std::string cache_file_;
  VkPipelineCache cache_ = VK_NULL_HANDLE;
  bool owns_cache_ = false;
  bool cache_grew_ = false;
  bool keep_loops_ = false;
  VkDescriptorSetLayout image_set_layout_ = VK_NULL_HANDLE;
  VkPipelineLayout layout_ = VK_NULL_HANDLE;
  std::map<std::string, VkShaderModule> modules_;
  std::map<Variant, VkPipeline> pipelines_;
};

}  // namespace proxel::vulkan
