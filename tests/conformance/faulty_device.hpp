#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "proxel/device.hpp"

namespace proxel::conformance {

/// Changes a pass on its way to the device; false: the pass is lost.
using Fault = std::function<bool(Pass&)>;

/// A device that is right but for one fault: it hands everything to another.
class FaultyDevice : public Device {
 public:
  FaultyDevice(std::unique_ptr<Device> right, Fault fault) : right_(std::move(right)), fault_(std::move(fault)) {
    info_ = right_->info();
  }

  Support supports(const Pass& pass) const override { return right_->supports(pass); }
  void prepare(const Pass& pass) override { right_->prepare(pass); }
  std::unique_ptr<Buffer> create_buffer(std::uint64_t bytes, MemoryKind kind) override {
    return right_->create_buffer(bytes, kind);
  }
  std::unique_ptr<Texture> create_texture(std::uint32_t width, std::uint32_t height, std::uint32_t layers,
                                          TexelFormat format) override {
    return right_->create_texture(width, height, layers, format);
  }
  std::unique_ptr<Commands> create_commands(Timing timing) override {
    return std::make_unique<FaultyCommands>(right_->create_commands(timing), fault_);
  }
  void submit(Commands& commands) override { right_->submit(static_cast<FaultyCommands&>(commands).right()); }
  void wait() override { right_->wait(); }
  Support supports_pinning() const override { return right_->supports_pinning(); }
  std::unique_ptr<Buffer> pin(const void* memory, std::uint64_t bytes) override { return right_->pin(memory, bytes); }

 private:
  class FaultyCommands : public Commands {
   public:
    FaultyCommands(std::unique_ptr<Commands> right, const Fault& fault) : right_(std::move(right)), fault_(fault) {}
    Commands& right() { return *right_; }

    void record(const Pass& pass) override {
      Pass changed = pass;
      if (fault_(changed)) right_->record(changed);
    }
    void barrier() override { right_->barrier(); }
    void copy(const BufferView& from, const BufferView& to) override { right_->copy(from, to); }
    void fill(const BufferView& view, std::uint8_t byte) override { right_->fill(view, byte); }
    void push_label(std::string_view name) override { right_->push_label(name); }
    void pop_label() override { right_->pop_label(); }
    void begin() override { right_->begin(); }
    void end() override { right_->end(); }
    double milliseconds() const override { return right_->milliseconds(); }
    std::vector<PassTime> pass_times() const override { return right_->pass_times(); }

   private:
    std::unique_ptr<Commands> right_;
    Fault fault_;
  };

  std::unique_ptr<Device> right_;
  Fault fault_;
};

}  // namespace proxel::conformance
