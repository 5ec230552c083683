#pragma once

#include <string>
#include <variant>
#include <vector>

#include "cpu/machine.hpp"
#include "proxel/device.hpp"

namespace proxel::cpu {

/// Work for the host, kept as it was recorded and run by Device::submit.
class HostCommands : public Commands {
 public:
  /// @param device  checks passes; outlives the commands
  HostCommands(const Device& device, bool plain, Timing timing) : device_(device), plain_(plain), timing_(timing) {}

  const Device* executes_on() const override { return &device_; }
  void begin() override;
  void end() override {}
  void record(const Pass& pass) override;
  void barrier() override {}  // operations run one after the other
  void copy(const BufferView& from, const BufferView& to) override;
  void fill(const BufferView& view, std::uint8_t byte) override;
  void push_label(std::string_view name) override;
  void pop_label() override;

  double milliseconds() const override { return milliseconds_; }
  std::vector<PassTime> pass_times() const override { return pass_times_; }

  /// Runs everything that was recorded.
  void run(Machine& machine);

 private:
  struct CopyWork {
    std::uint64_t from, to, bytes;
  };
  struct FillWork {
    std::uint64_t to, bytes;
    std::uint8_t byte;
  };
  struct Operation {
    std::variant<Pass, CopyWork, FillWork> work;
    const char* name;
    std::string label;
  };

  void add(const std::variant<Pass, CopyWork, FillWork>& work, const char* name);
  void run(const Operation& operation, Machine& machine) const;

  const Device& device_;
  bool plain_;
  Timing timing_;
  std::vector<Operation> operations_;
  std::vector<std::string> labels_;
  double milliseconds_ = 0;
  std::vector<PassTime> pass_times_;
};

}  // namespace proxel::cpu
