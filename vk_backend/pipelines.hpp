#pragma once

#include <map>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "functions.hpp"
#include "proxel/pass.hpp"

namespace proxel::vulkan {

/// What a device is given other shaders for.
struct Adaptation {
  /// A processor: loops are not unrolled, and subgroups go in step.
  bool on_host = false;
  /// Subnormal numbers can be asked for in binary32; and whatever other widths do.
  bool keeps_subnormals = false;
  bool widths_are_independent = false;
  /// The set layout of a LoopWatch, where the device ends long loops; null elsewhere.
  VkDescriptorSetLayout loop_watch = VK_NULL_HANDLE;
};

/// The compute pipelines of one device, made when a pass is first prepared.
/// All share one layout: 128 bytes of push constants, and a storage image in
/// binding 0 of set 0 and of set 1 for the passes that use textures; set 2 is that of a LoopWatch.
class Pipelines {
 public:
  /// @param directory  where the cache is kept between runs; empty: nowhere
  /// @param external   the caller's cache to use instead, or null
  /// Throws Error where the driver fails; nothing is left behind.
  Pipelines(const VolkDeviceTable& table, VkDevice device, const std::string& cache_file, VkPipelineCache external,
            const Adaptation& adaptation);
  ~Pipelines();
  Pipelines(const Pipelines&) = delete;
  Pipelines& operator=(const Pipelines&) = delete;

  /// From now on shaders that count on the size of subgroups get subgroups of that size, none of
  /// them narrower. The device has the feature computeFullSubgroups enabled.
  void require_full_subgroups(std::uint32_t size) { full_subgroups_ = size; }
  /// From now on shaders tell of loops that were ended; all pipelines are made anew. None is in use.
  void watch_loops(VkDescriptorSetLayout set_layout);
  VkPipelineLayout layout() const { return layout_; }
  VkDescriptorSetLayout image_set_layout() const { return image_set_layout_; }
  /// The pipeline of a pass; makes it if need be.
  VkPipeline get(const Pass& pass);
  /// Makes those of these passes that there are not yet, on as many threads as the host has: drivers compile one
  /// pipeline on one thread, for 50 to 300 ms. With a cache of the caller's on this thread alone, as others may be
  /// using that. Throws the first error after all threads have ended.
  void make_all(std::span<const Pass> passes);
  /// A pipeline of a pass that the caller destroys, compiled as get() would but for these wishes.
  /// @param flags          VkPipelineCreateFlagBits
  /// @param subgroup_size  that the shader is to run with; 0: the device's own choice
  VkPipeline make(const Pass& pass, VkPipelineCreateFlags flags = 0, std::uint32_t subgroup_size = 0);

 private:
  using Variant = std::tuple<const PassKind*, std::array<std::uint32_t, 4>, std::uint32_t>;

  std::vector<std::uint32_t> adapted(std::span<const std::uint32_t> code) const;
  VkShaderModule module(const Pass& pass);
  void create_layouts();
  void create_layout();
  void forget_pipelines();
  void destroy();
  void load_cache();
  void save_cache() const;

  const VolkDeviceTable& table_;
  VkDevice device_;
  std::string cache_file_;
  VkPipelineCache cache_ = VK_NULL_HANDLE;
  bool owns_cache_ = false;
  bool cache_grew_ = false;
  std::uint32_t full_subgroups_ = 0;
  Adaptation adaptation_;
  VkDescriptorSetLayout image_set_layout_ = VK_NULL_HANDLE;
  VkPipelineLayout layout_ = VK_NULL_HANDLE;
  std::map<const PassKind*, VkShaderModule> modules_;
  std::map<Variant, VkPipeline> pipelines_;
};

}  // namespace proxel::vulkan
