#pragma once

#include "device.hpp"

namespace proxel::vulkan {

/// Writes passes into a command buffer, whoever it belongs to.
class VulkanRecording {
 public:
  VulkanRecording(VulkanDevice& device, VkCommandBuffer command_buffer)
      : device_(device), command_buffer_(command_buffer) {}

  void record(const Pass& pass);
  void barrier();
  void copy(const BufferView& from, const BufferView& to);
  void fill(const BufferView& view, std::uint8_t byte);
  void push_label(std::string_view name);
  void pop_label();

  /// Forgets labels that are still open.
  void begin() { open_labels_ = 0; }

 private:
  VulkanDevice& device_;
  VkCommandBuffer command_buffer_;
  std::size_t open_labels_ = 0;
};

/// A command buffer of proxel's own, with its fence and timestamps.
class VulkanCommands : public Commands {
 public:
  /// Throws Error where the driver fails; nothing is left behind.
  VulkanCommands(VulkanDevice& device, Timing timing);
  ~VulkanCommands() override;

  const Device* executes_on() const override { return &device_; }
  void begin() override;
  void end() override;
  void record(const Pass& pass) override;
  void barrier() override { recording_->barrier(); }
  void copy(const BufferView& from, const BufferView& to) override;
  void fill(const BufferView& view, std::uint8_t byte) override;
  void push_label(std::string_view name) override;
  void pop_label() override;
  double milliseconds() const override { return milliseconds_; }
  std::vector<PassTime> pass_times() const override { return pass_times_; }

  VkCommandBuffer handle() const { return command_buffer_; }
  void submit();
  /// Waits for the latest submission and reads its timestamps.
  void wait();
  /// Waits for the latest submission after waiting for it has failed: it still uses what callers now destroy.
  void outlast() noexcept;

 private:
  void create();
  void destroy();
  void timestamp(std::string name);
  void read_times();

  VulkanDevice& device_;
  Timing timing_;
  VkCommandPool pool_ = VK_NULL_HANDLE;
  VkCommandBuffer command_buffer_ = VK_NULL_HANDLE;
  VkFence fence_ = VK_NULL_HANDLE;
  VkQueryPool queries_ = VK_NULL_HANDLE;
  std::unique_ptr<VulkanRecording> recording_;
  bool submitted_ = false;

  std::vector<std::string> labels_;
  // What ended at timestamp i + 1.
  std::vector<PassTime> timed_;
  std::vector<PassTime> pass_times_;
  double milliseconds_ = 0;
};

}  // namespace proxel::vulkan
