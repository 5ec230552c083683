#include "pipelines.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <thread>
#include <vector>

#include <unistd.h>

#include <fmt/format.h>

#include "proxel/error.hpp"
#include "shaders.hpp"
#include "subgroup_sizes.hpp"

namespace proxel::vulkan {

namespace {

// Those of drivers have some megabytes.
constexpr std::uintmax_t largest_cache = std::uintmax_t{1} << 30;

}  // namespace

Pipelines::Pipelines(const VolkDeviceTable& table, VkDevice device, const std::string& cache_file,
                     VkPipelineCache external, const Adaptation& adaptation)
    : table_(table), device_(device), cache_file_(cache_file), cache_(external), adaptation_(adaptation) {
  try {
    create_layouts();
    if (!external) load_cache();
  } catch (...) {
    destroy();
    throw;
  }
}

void Pipelines::create_layouts() {
  VkDescriptorSetLayoutBinding binding{};
  binding.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE;
  binding.descriptorCount = 1;
  binding.stageFlags = VK_SHADER_STAGE_COMPUTE_BIT;
  VkDescriptorSetLayoutCreateInfo set_info{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
  set_info.bindingCount = 1;
  set_info.pBindings = &binding;
  check(table_.vkCreateDescriptorSetLayout(device_, &set_info, nullptr, &image_set_layout_),
        "vkCreateDescriptorSetLayout");

  create_layout();
}

void Pipelines::create_layout() {
  std::vector<VkDescriptorSetLayout> sets = {image_set_layout_, image_set_layout_};
  if (adaptation_.loop_watch) sets.push_back(adaptation_.loop_watch);
  const VkPushConstantRange range{VK_SHADER_STAGE_COMPUTE_BIT, 0, 128};
  VkPipelineLayoutCreateInfo info{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
  info.setLayoutCount = static_cast<std::uint32_t>(sets.size());
  info.pSetLayouts = sets.data();
  info.pushConstantRangeCount = 1;
  info.pPushConstantRanges = &range;
  check(table_.vkCreatePipelineLayout(device_, &info, nullptr, &layout_), "vkCreatePipelineLayout");
}

Pipelines::~Pipelines() {
  try {
    if (owns_cache_ && cache_grew_ && !cache_file_.empty()) save_cache();
  } catch (const std::exception&) {
    // A cache that cannot be saved makes the next start slower, and nothing else.
  }
  destroy();
}

void Pipelines::watch_loops(VkDescriptorSetLayout set_layout) {
  adaptation_.loop_watch = set_layout;
  forget_pipelines();
  create_layout();
}

void Pipelines::forget_pipelines() {
  for (const auto& [variant, pipeline] : pipelines_) table_.vkDestroyPipeline(device_, pipeline, nullptr);
  for (const auto& [kind, module] : modules_) table_.vkDestroyShaderModule(device_, module, nullptr);
  table_.vkDestroyPipelineLayout(device_, layout_, nullptr);
  pipelines_.clear();
  modules_.clear();
  layout_ = VK_NULL_HANDLE;
}

void Pipelines::destroy() {
  if (owns_cache_) table_.vkDestroyPipelineCache(device_, cache_, nullptr);
  forget_pipelines();
  table_.vkDestroyDescriptorSetLayout(device_, image_set_layout_, nullptr);
}

void Pipelines::load_cache() {
  std::vector<char> bytes;
  if (!cache_file_.empty()) {
    // What cannot be read, or is no cache by its kind or size, costs time and nothing else: a pipe would be waited
    // for, a device read for ever. libstdc++ throws while it reads, unlike while it opens.
    try {
      if (std::filesystem::is_regular_file(cache_file_) && std::filesystem::file_size(cache_file_) <= largest_cache) {
        std::ifstream file(cache_file_, std::ios::binary);
        bytes.assign(std::istreambuf_iterator<char>(file), {});
      }
    } catch (const std::ios_base::failure&) {
      bytes.clear();
    } catch (const std::filesystem::filesystem_error&) {
      bytes.clear();
    }
  }
  VkPipelineCacheCreateInfo info{VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
  // Drivers check the header themselves and ignore what is not theirs.
  info.initialDataSize = bytes.size();
  info.pInitialData = bytes.data();
  check(table_.vkCreatePipelineCache(device_, &info, nullptr, &cache_), "vkCreatePipelineCache");
  owns_cache_ = true;
}

void Pipelines::save_cache() const {
  std::size_t size = 0;
  if (table_.vkGetPipelineCacheData(device_, cache_, &size, nullptr) != VK_SUCCESS) return;
  std::vector<char> bytes(size);
  if (table_.vkGetPipelineCacheData(device_, cache_, &size, bytes.data()) != VK_SUCCESS) return;
  // A cache that cannot be written costs time at the next start, nothing else.
  std::error_code ignored;
  const std::filesystem::path path = cache_file_;
  std::filesystem::create_directories(path.parent_path(), ignored);
  const std::filesystem::path beside = fmt::format("{}.{}", cache_file_, ::getpid());
  std::ofstream file(beside, std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(size));
  file.close();
  std::error_code failed;
  if (file) std::filesystem::rename(beside, path, failed);
  if (!file || failed) std::filesystem::remove(beside, ignored);
}

std::vector<std::uint32_t> Pipelines::adapted(std::span<const std::uint32_t> code) const {
  std::vector<std::uint32_t> words(code.begin(), code.end());
  if (adaptation_.on_host) words = without_subgroup_barriers(without_unrolling(words));
  if (adaptation_.loop_watch) words = telling_ended_loops(words);
  if (adaptation_.keeps_subnormals) words = keeping_subnormals(words, adaptation_.widths_are_independent);
  return words;
}

VkShaderModule Pipelines::module(const Pass& pass) {
  if (const auto found = modules_.find(pass.kind); found != modules_.end()) return found->second;
  const std::span<const std::uint32_t> embedded = shader_code(pass.name());
  if (embedded.empty()) throw Error(ErrorCode::unsupported, pass.name(), "this build has no such shader");
  const std::vector<std::uint32_t> code = adapted(embedded);
  VkShaderModuleCreateInfo info{VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
  info.codeSize = code.size() * sizeof(std::uint32_t);
  info.pCode = code.data();
  VkShaderModule& created = modules_[pass.kind];  // nothing is made that could not be kept
  try {
    check(table_.vkCreateShaderModule(device_, &info, nullptr, &created), "vkCreateShaderModule");
  } catch (...) {
    modules_.erase(pass.kind);
    throw;
  }
  return created;
}

VkPipeline Pipelines::get(const Pass& pass) {
  // Its place first: no pipeline is made that could not be kept. It stays null where making it fails.
  VkPipeline& pipeline = pipelines_[{pass.kind, pass.constants, pass.workgroup_size}];
  if (pipeline == VK_NULL_HANDLE) make_all({&pass, 1});
  return pipeline;
}

void Pipelines::make_all(std::span<const Pass> passes) {
  struct Missing {
    const Pass* pass;
    VkPipeline* place;  // in pipelines_, whose elements stay where they are
    std::exception_ptr error;
  };
  std::vector<Missing> missing;
  for (const Pass& pass : passes) {
    VkPipeline& pipeline = pipelines_[{pass.kind, pass.constants, pass.workgroup_size}];
    const auto same = [&](const Missing& other) { return other.place == &pipeline; };
    if (pipeline != VK_NULL_HANDLE || std::any_of(missing.begin(), missing.end(), same)) continue;
    module(pass);  // so that threads only look it up
    missing.push_back({&pass, &pipeline, nullptr});
  }
  if (missing.empty()) return;

  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i = next++; i < missing.size(); i = next++) try {
        *missing[i].place = make(*missing[i].pass);
      } catch (...) {
        missing[i].error = std::current_exception();
      }
  };
  {
    const std::size_t most = owns_cache_ ? std::max(std::thread::hardware_concurrency(), 1u) : 1;
    std::vector<std::jthread> threads;
    try {
      while (threads.size() + 1 < std::min(most, missing.size())) threads.emplace_back(work);
    } catch (const std::system_error&) {
      // The system starts no more threads; those that there are do the work.
    }
    work();
  }
  cache_grew_ = true;
  for (const Missing& one : missing)
    if (one.error) std::rethrow_exception(one.error);
}

VkPipeline Pipelines::make(const Pass& pass, VkPipelineCreateFlags flags, std::uint32_t subgroup_size) {
  // Constants 0…3 are the pass's own; 4 sizes the workgroup and 5 repeats it
  // for array lengths (shaders/include/workgroup.glsl).
  std::array<std::uint32_t, 6> values{};
  std::copy(pass.constants.begin(), pass.constants.end(), values.begin());
  values[4] = values[5] = pass.workgroup_size;
  std::array<VkSpecializationMapEntry, 6> entries{};
  for (std::uint32_t i = 0; i < entries.size(); ++i) entries[i] = {i, 4 * i, 4};
  const VkSpecializationInfo specialization{static_cast<std::uint32_t>(entries.size()), entries.data(), sizeof values,
                                            values.data()};

  VkComputePipelineCreateInfo info{VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
  info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
  info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  info.stage.module = module(pass);
  info.stage.pName = "main";
  info.stage.pSpecializationInfo = &specialization;
  info.layout = layout_;
  info.flags = flags;
  VkPipelineShaderStageRequiredSubgroupSizeCreateInfo size{
      VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO};
  size.requiredSubgroupSize = subgroup_size;
  if (subgroup_size != 0) info.stage.pNext = &size;
  if (full_subgroups_ != 0 && pass.workgroup_size % full_subgroups_ == 0 &&
      reads_subgroup_size(shader_code(pass.name())))
    info.stage.flags |= VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT;
  VkPipeline pipeline = VK_NULL_HANDLE;
  check(table_.vkCreateComputePipelines(device_, cache_, 1, &info, nullptr, &pipeline), "vkCreateComputePipelines");
  return pipeline;
}

}  // namespace proxel::vulkan
