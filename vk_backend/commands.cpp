#include "commands.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "label_table.hpp"
#include "memory.hpp"
#include "search/check.hpp"
#include "search/words.hpp"

namespace proxel::vulkan {
namespace {

// Timestamps of one recording: the start, each timed pass, the end.
constexpr std::uint32_t most_timestamps = 4096;

// A little is copied by a pass (proxel/passes/copy_words.h).
constexpr std::uint64_t most_by_pass = std::uint64_t{1} << 20;

VkBuffer handle_of(const BufferView& view) { return dynamic_cast<const VulkanBuffer&>(*view.buffer).handle(); }

}  // namespace

void VulkanRecording::record(const Pass& pass) {
  const VolkDeviceTable& table = device_.table();
  push_label(pass.name());
  table.vkCmdBindPipeline(command_buffer_, VK_PIPELINE_BIND_POINT_COMPUTE, device_.pipelines().get(pass));
  const VkPipelineLayout layout = device_.pipelines().layout();
  if (const LoopWatch* watch = device_.loop_watch()) watch->bind(command_buffer_, layout);
  for (std::uint32_t set = 0; set < pass.textures.size(); ++set)
    if (pass.textures[set]) {
      const VkDescriptorSet descriptors = dynamic_cast<const VulkanTexture&>(*pass.textures[set]).descriptor_set();
      table.vkCmdBindDescriptorSets(command_buffer_, VK_PIPELINE_BIND_POINT_COMPUTE, layout, set, 1, &descriptors, 0,
                                    nullptr);
    }
  table.vkCmdPushConstants(command_buffer_, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, pass.parameter_bytes,
                           pass.parameters.data());
  table.vkCmdDispatch(command_buffer_, pass.grid.x, pass.grid.y, pass.grid.z);
  pop_label();
}

void VulkanRecording::barrier() {
  constexpr VkPipelineStageFlags stages = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT;
  VkMemoryBarrier memory{VK_STRUCTURE_TYPE_MEMORY_BARRIER};
  memory.srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
  memory.dstAccessMask = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_READ_BIT |
                         VK_ACCESS_TRANSFER_WRITE_BIT;
  device_.table().vkCmdPipelineBarrier(command_buffer_, stages, stages, 0, 1, &memory, 0, nullptr, 0, nullptr);
}

void VulkanRecording::copy(const BufferView& from, const BufferView& to) {
  search::require_copy(device_, from, to);
  if (from.bytes == 0) return;
  if (search::copies_by_pass(from, to, most_by_pass, [&](const Pass& pass) { record(pass); })) return;
  const VkBufferCopy region{from.offset, to.offset, from.bytes};
  device_.table().vkCmdCopyBuffer(command_buffer_, handle_of(from), handle_of(to), 1, &region);
}

void VulkanRecording::fill(const BufferView& view, std::uint8_t byte) {
  search::require_fill(device_, view);
  search::each_fill(view, byte, [&](const Pass& pass) { record(pass); });
}

void VulkanRecording::push_label(std::string_view name) {
  ++open_labels_;
  if (!device_.debug_utils() || !device_.functions().vkCmdBeginDebugUtilsLabelEXT) return;
  // Labels are short; a fixed array keeps recording free of allocations.
  std::array<char, 64> text{};
  name.copy(text.data(), text.size() - 1);
  VkDebugUtilsLabelEXT label{VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT};
  label.pLabelName = text.data();
  const auto held = hold_label_table(true);
  device_.functions().vkCmdBeginDebugUtilsLabelEXT(command_buffer_, &label);
}

void VulkanRecording::pop_label() {
  if (open_labels_ == 0) return;
  --open_labels_;
  if (!device_.debug_utils() || !device_.functions().vkCmdEndDebugUtilsLabelEXT) return;
  const auto held = hold_label_table(true);
  device_.functions().vkCmdEndDebugUtilsLabelEXT(command_buffer_);
}

VulkanCommands::VulkanCommands(VulkanDevice& device, Timing timing)
    : device_(device), timing_(device.capabilities().timestamps ? timing : Timing::none) {
  try {
    create();
  } catch (...) {
    destroy();
    throw;
  }
}

void VulkanCommands::create() {
  const VolkDeviceTable& table = device_.table();
  VkCommandPoolCreateInfo pool_info{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
  pool_info.queueFamilyIndex = device_.queue_family();
  check(table.vkCreateCommandPool(device_.handle(), &pool_info, nullptr, &pool_), "vkCreateCommandPool");
  VkCommandBufferAllocateInfo buffer_info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
  buffer_info.commandPool = pool_;
  buffer_info.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
  buffer_info.commandBufferCount = 1;
  {
    const auto held = hold_label_table(device_.debug_utils());
    check(table.vkAllocateCommandBuffers(device_.handle(), &buffer_info, &command_buffer_), "vkAllocateCommandBuffers");
  }
  const VkFenceCreateInfo fence_info{VK_STRUCTURE_TYPE_FENCE_CREATE_INFO, nullptr, 0};
  check(table.vkCreateFence(device_.handle(), &fence_info, nullptr, &fence_), "vkCreateFence");
  if (timing_ != Timing::none) {
    VkQueryPoolCreateInfo query_info{VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO};
    query_info.queryType = VK_QUERY_TYPE_TIMESTAMP;
    query_info.queryCount = timing_ == Timing::whole ? 2 : most_timestamps;
    check(table.vkCreateQueryPool(device_.handle(), &query_info, nullptr, &queries_), "vkCreateQueryPool");
  }
  recording_ = std::make_unique<VulkanRecording>(device_, command_buffer_);
}

VulkanCommands::~VulkanCommands() {
  // An object is destroyed only after its work; a lost device has none left.
  outlast();
  device_.forget(*this);
  destroy();
}

void VulkanCommands::outlast() noexcept {
  if (!submitted_) return;
  const VkResult result = device_.table().vkWaitForFences(device_.handle(), 1, &fence_, VK_TRUE, UINT64_MAX);
  submitted_ = result != VK_SUCCESS;
}

void VulkanCommands::destroy() {
  const VolkDeviceTable& table = device_.table();
  table.vkDestroyQueryPool(device_.handle(), queries_, nullptr);
  table.vkDestroyFence(device_.handle(), fence_, nullptr);
  const auto held = hold_label_table(device_.debug_utils());
  table.vkDestroyCommandPool(device_.handle(), pool_, nullptr);
}

void VulkanCommands::begin() {
  const VolkDeviceTable& table = device_.table();
  if (submitted_) wait();
  device_.forget(*this);
  {
    const auto held = hold_label_table(device_.debug_utils());
    check(table.vkResetCommandPool(device_.handle(), pool_, 0), "vkResetCommandPool");
    VkCommandBufferBeginInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    check(table.vkBeginCommandBuffer(command_buffer_, &info), "vkBeginCommandBuffer");
  }
  labels_.clear();
  recording_->begin();
  timed_.clear();
  if (timing_ != Timing::none) {
    if (!device_.resets_queries_on_host())
      table.vkCmdResetQueryPool(command_buffer_, queries_, 0, timing_ == Timing::whole ? 2 : most_timestamps);
    // Behind what was submitted before, which may not have been waited for.
    table.vkCmdWriteTimestamp(command_buffer_, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, queries_, 0);
  }
}

void VulkanCommands::end() {
  const VolkDeviceTable& table = device_.table();
  if (timing_ != Timing::none) timestamp("rest");
  // Results that kernels wrote into readback memory are made visible to the host.
  VkMemoryBarrier memory{VK_STRUCTURE_TYPE_MEMORY_BARRIER};
  memory.srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
  memory.dstAccessMask = VK_ACCESS_HOST_READ_BIT;
  table.vkCmdPipelineBarrier(command_buffer_, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT,
                             VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &memory, 0, nullptr, 0, nullptr);
  check(table.vkEndCommandBuffer(command_buffer_), "vkEndCommandBuffer");
}

void VulkanCommands::timestamp(std::string name) {
  timed_.push_back({std::move(name), fmt::format("{}", fmt::join(labels_, "/")), 0});
  device_.table().vkCmdWriteTimestamp(command_buffer_, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, queries_,
                                      static_cast<std::uint32_t>(timed_.size()));
}

void VulkanCommands::record(const Pass& pass) {
  recording_->record(pass);
  // The last timestamp is kept for the end; passes beyond count as "rest".
  if (timing_ == Timing::passes && timed_.size() + 2 < most_timestamps) timestamp(pass.name());
}

void VulkanCommands::copy(const BufferView& from, const BufferView& to) {
  recording_->copy(from, to);
  if (timing_ == Timing::passes && timed_.size() + 2 < most_timestamps) timestamp("copy");
}

void VulkanCommands::fill(const BufferView& view, std::uint8_t byte) {
  recording_->fill(view, byte);
  if (timing_ == Timing::passes && timed_.size() + 2 < most_timestamps) timestamp("fill");
}

void VulkanCommands::push_label(std::string_view name) {
  labels_.emplace_back(name);
  recording_->push_label(name);
}

void VulkanCommands::pop_label() {
  if (!labels_.empty()) labels_.pop_back();
  recording_->pop_label();
}

void VulkanCommands::submit() {
  const VolkDeviceTable& table = device_.table();
  check(table.vkResetFences(device_.handle(), 1, &fence_), "vkResetFences");
  // A reset of few queries in the command buffer makes what follows it up to 16 µs slower on NVIDIA's driver 580.
  if (timing_ != Timing::none && device_.resets_queries_on_host())
    table.vkResetQueryPool(device_.handle(), queries_, 0, static_cast<std::uint32_t>(timed_.size() + 1));
  device_.submit(command_buffer_, fence_);
  submitted_ = true;
}

void VulkanCommands::wait() {
  if (!submitted_) return;
  device_.wait(fence_);
  submitted_ = false;
  if (timing_ != Timing::none) read_times();
}

void VulkanCommands::read_times() {
  const auto count = static_cast<std::uint32_t>(timed_.size() + 1);
  std::vector<std::uint64_t> ticks(count);
  check(device_.table().vkGetQueryPoolResults(device_.handle(), queries_, 0, count, count * sizeof(std::uint64_t),
                                              ticks.data(), sizeof(std::uint64_t), VK_QUERY_RESULT_64_BIT),
        "vkGetQueryPoolResults");
  const auto between = [&](std::uint32_t from, std::uint32_t to) {
    return static_cast<double>(ticks[to] - ticks[from]) * static_cast<double>(device_.limits().timestampPeriod) * 1e-6;
  };
  milliseconds_ = between(0, count - 1);
  pass_times_.clear();
  if (timing_ != Timing::passes) return;
  for (std::uint32_t i = 0; i + 1 < count; ++i) {
    pass_times_.push_back(timed_[i]);
    pass_times_.back().milliseconds = between(i, i + 1);
  }
}

namespace {

// A recording into a caller's command buffer with a timestamp of the caller's behind every pass.
class TimedCallersRecording final : public TimedRecording {
 public:
  TimedCallersRecording(VulkanDevice& device, VkCommandBuffer command_buffer, const Timestamps& timestamps)
      : recording_(device, command_buffer), device_(device), command_buffer_(command_buffer), timestamps_(timestamps) {
    names_.reserve(timestamps.count - 1);  // recording allocates nothing
  }
  const Device* executes_on() const override { return &device_; }
  void record(const Pass& pass) override {
    begin();
    recording_.record(pass);
    timestamp(pass.name());
  }
  void barrier() override { recording_.barrier(); }
  void copy(const BufferView& from, const BufferView& to) override {
    begin();
    recording_.copy(from, to);
    timestamp("copy");
  }
  void fill(const BufferView& view, std::uint8_t byte) override {
    begin();
    recording_.fill(view, byte);
    timestamp("fill");
  }
  void push_label(std::string_view name) override { recording_.push_label(name); }
  void pop_label() override { recording_.pop_label(); }
  const std::vector<const char*>& timed() const override { return names_; }

 private:
  void begin() {
    if (names_.empty()) write(VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, 0);
  }
  void timestamp(const char* name) {
    if (names_.size() + 1 >= timestamps_.count) return;
    names_.push_back(name);
    write(VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, static_cast<std::uint32_t>(names_.size()));
  }
  void write(VkPipelineStageFlagBits stage, std::uint32_t number) {
    device_.table().vkCmdWriteTimestamp(command_buffer_, stage, timestamps_.pool, timestamps_.first + number);
  }

  VulkanRecording recording_;
  VulkanDevice& device_;
  VkCommandBuffer command_buffer_;
  Timestamps timestamps_;
  std::vector<const char*> names_;
};

VulkanDevice& checked(Device& device, VkCommandBuffer_T* command_buffer) {
  auto* own = dynamic_cast<VulkanDevice*>(&device);
  if (!own) throw Error(ErrorCode::invalid_argument, "device", "is not a Vulkan device");
  if (!command_buffer) throw Error(ErrorCode::invalid_argument, "command_buffer", "is a null handle");
  return *own;
}

// @param device  has been checked
VulkanRecording on(Device& device, VkCommandBuffer command_buffer) {
  return {static_cast<VulkanDevice&>(device), command_buffer};
}

}  // namespace

CommandBufferRecording::CommandBufferRecording(Device& device, VkCommandBuffer_T* command_buffer)
    : device_(checked(device, command_buffer)), command_buffer_(command_buffer) {}

const Device* CommandBufferRecording::executes_on() const { return &device_; }
void CommandBufferRecording::record(const Pass& pass) { on(device_, command_buffer_).record(pass); }
void CommandBufferRecording::barrier() { on(device_, command_buffer_).barrier(); }
void CommandBufferRecording::copy(const BufferView& from, const BufferView& to) {
  on(device_, command_buffer_).copy(from, to);
}
void CommandBufferRecording::fill(const BufferView& view, std::uint8_t byte) {
  on(device_, command_buffer_).fill(view, byte);
}
void CommandBufferRecording::push_label(std::string_view name) { on(device_, command_buffer_).push_label(name); }
void CommandBufferRecording::pop_label() { on(device_, command_buffer_).pop_label(); }

std::unique_ptr<Recording> record_into(Device& device, VkCommandBuffer_T* command_buffer) {
  return std::make_unique<CommandBufferRecording>(device, command_buffer);
}

std::unique_ptr<TimedRecording> record_into(Device& device, VkCommandBuffer_T* command_buffer,
                                            const Timestamps& timestamps) {
  VulkanDevice& own = checked(device, command_buffer);
  if (!timestamps.pool) throw Error(ErrorCode::invalid_argument, "timestamps pool", "is a null handle");
  if (timestamps.count < 2)
    throw Error(ErrorCode::invalid_argument, "timestamps count",
                fmt::format("{} was given, at least 2 is allowed", timestamps.count));
  return std::make_unique<TimedCallersRecording>(own, command_buffer, timestamps);
}

}  // namespace proxel::vulkan
