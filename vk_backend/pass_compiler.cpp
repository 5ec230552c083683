// Compiles passes on a device that is created for that alone, and asks the driver
// what came of it (VK_KHR_pipeline_executable_properties).
#include "proxel/pass_compiler.hpp"

#include <fmt/format.h>

#include "create_device.hpp"
#include "device.hpp"
#include "probe.hpp"
#include "subgroup_sizes.hpp"

namespace proxel::vulkan {
namespace {

double number_of(const VkPipelineExecutableStatisticKHR& statistic) {
  switch (statistic.format) {
    case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_BOOL32_KHR:
      return statistic.value.b32;
    case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_INT64_KHR:
      return static_cast<double>(statistic.value.i64);
    case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_UINT64_KHR:
      return static_cast<double>(statistic.value.u64);
    case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_FLOAT64_KHR:
      return statistic.value.f64;
    default:
      return 0;
  }
}

// What the driver offers of the two extensions, and the structures that enable it.
struct Offer {
  bool statistics = false;
  SubgroupSizes sizes;
  VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR executables{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR};
  Extras extras;

  Offer(const InstanceFunctions& functions, VkPhysicalDevice physical_device) : sizes(functions, physical_device) {
    if (!has_extension(functions, physical_device, VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME)) return;
    VkPhysicalDeviceFeatures2 features{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
    features.pNext = &executables;
    functions.vkGetPhysicalDeviceFeatures2(physical_device, &features);
    statistics = executables.pipelineExecutableInfo;
    extras.extensions.push_back(VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME);
    extras.features = reinterpret_cast<VkBaseOutStructure*>(&executables);
  }
  Offer(const Offer&) = delete;
  Offer& operator=(const Offer&) = delete;

  // Whether kernels can be compiled for subgroups of that size, or why not.
  Support lanes(std::uint32_t count) const {
    const auto& told = sizes.properties;
    if (!sizes.features.subgroupSizeControl)
      return Support::no(
          fmt::format("lets no program choose the subgroup size (no {})", VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME));
    const bool chosen_for_compute = told.requiredSubgroupSizeStages & VK_SHADER_STAGE_COMPUTE_BIT;
    if (!chosen_for_compute || count < told.minSubgroupSize || count > told.maxSubgroupSize ||
        (count & (count - 1)) != 0)
      return Support::no(fmt::format("cannot compile for subgroups of {}; it has {} to {}{}", count,
                                     told.minSubgroupSize, told.maxSubgroupSize,
                                     chosen_for_compute ? "" : ", and chooses itself"));
    return Support::yes();
  }
};

class VulkanPassCompiler : public PassCompiler {
 public:
  VulkanPassCompiler(DeviceInfo info, const DeviceHandles& handles, const InstanceFunctions& functions, bool statistics,
                     bool full_subgroups, std::uint32_t subgroup_size)
      : owned_(
            handles.device,
            {reinterpret_cast<PFN_vkDestroyDevice>(functions.vkGetDeviceProcAddr(handles.device, "vkDestroyDevice"))}),
        statistics_(statistics),
        subgroup_size_(subgroup_size) {
    if (subgroup_size != 0) info.capabilities.subgroup_size = subgroup_size;
    // It is wrapped like a caller's device, which has no file of pipelines: what is in a file is not compiled.
    device_ = std::make_unique<VulkanDevice>(std::move(info), handles, functions, false);
    if (full_subgroups) device_->pipelines().require_full_subgroups(this->info().capabilities.subgroup_size);
  }

  const DeviceInfo& info() const override { return device_->info(); }
  Support supports(const Pass& pass) const override { return device_->supports(pass); }
  Support statistics() const override {
    return statistics_ ? Support::yes()
                       : Support::no("the driver lacks " VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME);
  }

  CompiledPass compile(const Pass& pass) override {
    if (const Support support = supports(pass); !support)
      throw Error(ErrorCode::unsupported, fmt::format("{} on {}", pass.name(), info().id), support.reason);
    const VkPipelineCreateFlags flags =
        statistics_ ? VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR : VkPipelineCreateFlagBits{};
    const VkPipeline pipeline = device_->pipelines().make(pass, flags, subgroup_size_);
    CompiledPass compiled;
    try {
      if (statistics_) compiled = ask(pipeline);
    } catch (...) {
      device_->table().vkDestroyPipeline(owned_.get(), pipeline, nullptr);
      throw;
    }
    device_->table().vkDestroyPipeline(owned_.get(), pipeline, nullptr);
    return compiled;
  }

 private:
  // A driver may make several executables, and choose when a pass runs. The widest one counts.
  CompiledPass ask(VkPipeline pipeline) const {
    const VolkDeviceTable& table = device_->table();
    VkPipelineInfoKHR whole{VK_STRUCTURE_TYPE_PIPELINE_INFO_KHR};
    whole.pipeline = pipeline;
    std::uint32_t count = 0;
    check(table.vkGetPipelineExecutablePropertiesKHR(owned_.get(), &whole, &count, nullptr),
          "vkGetPipelineExecutablePropertiesKHR");
    std::vector<VkPipelineExecutablePropertiesKHR> executables(
        count, {VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_PROPERTIES_KHR, nullptr, 0, "", "", 0});
    check(table.vkGetPipelineExecutablePropertiesKHR(owned_.get(), &whole, &count, executables.data()),
          "vkGetPipelineExecutablePropertiesKHR");
    CompiledPass compiled;
    for (std::uint32_t i = 0; i < count; ++i)
      if (i == 0 || executables[i].subgroupSize > compiled.subgroup_size)
        compiled = {executables[i].subgroupSize, statistics_of(pipeline, i)};
    return compiled;
  }

  std::vector<CompilerStatistic> statistics_of(VkPipeline pipeline, std::uint32_t executable) const {
    const VolkDeviceTable& table = device_->table();
    VkPipelineExecutableInfoKHR one{VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR};
    one.pipeline = pipeline;
    one.executableIndex = executable;
    std::uint32_t count = 0;
    check(table.vkGetPipelineExecutableStatisticsKHR(owned_.get(), &one, &count, nullptr),
          "vkGetPipelineExecutableStatisticsKHR");
    VkPipelineExecutableStatisticKHR blank{};
    blank.sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_STATISTIC_KHR;
    std::vector<VkPipelineExecutableStatisticKHR> told(count, blank);
    check(table.vkGetPipelineExecutableStatisticsKHR(owned_.get(), &one, &count, told.data()),
          "vkGetPipelineExecutableStatisticsKHR");
    std::vector<CompilerStatistic> statistics;
    for (const VkPipelineExecutableStatisticKHR& one_told : told)
      statistics.push_back({one_told.name, one_told.description, number_of(one_told)});
    return statistics;
  }

  struct Destroy {
    PFN_vkDestroyDevice function;
    void operator()(VkDevice device) const { function(device, nullptr); }
  };

  std::unique_ptr<VkDevice_T, Destroy> owned_;  // destroyed after device_
  bool statistics_;
  std::uint32_t subgroup_size_;
  std::unique_ptr<VulkanDevice> device_;
};

}  // namespace

std::unique_ptr<PassCompiler> open_compiler(std::uint32_t index, std::uint32_t subgroup_size) {
  const Instance& instance = Instance::get();
  const InstanceFunctions& functions = instance.functions();
  const VkPhysicalDevice physical_device = instance.physical_devices().at(index);
  DeviceInfo info = probe(functions, physical_device, index);
  if (!info.usable && !runs_nothing(functions, physical_device))
    throw Error(ErrorCode::unsupported, info.id, info.usable.reason);
  Offer offer(functions, physical_device);
  if (subgroup_size != 0)
    if (const Support support = offer.lanes(subgroup_size); !support) {
      if (subgroup_size != info.capabilities.subgroup_size)
        throw Error(ErrorCode::unsupported, info.id, support.reason);
      subgroup_size = 0;  // the only one that it has
    }
  return std::make_unique<VulkanPassCompiler>(std::move(info), create_device(instance, index, offer.extras), functions,
                                              offer.statistics, offer.sizes.features.computeFullSubgroups,
                                              subgroup_size);
}

}  // namespace proxel::vulkan
