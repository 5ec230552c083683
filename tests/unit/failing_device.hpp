#pragma once

#include "../conformance/faulty_device.hpp"

namespace proxel::unit {

/// The processor by another name, which fails when it is told to.
class FailingDevice : public conformance::FaultyDevice {
 public:
  bool loses_work = false, has_no_memory = false;

  FailingDevice() : FaultyDevice(open_device("cpu"), [](Pass&) { return true; }) { info_.id = "cpu:failing"; }
  std::unique_ptr<Buffer> create_buffer(std::uint64_t bytes, MemoryKind kind) override {
    if (has_no_memory) throw Error(ErrorCode::out_of_memory, "memory", "is full");
    return FaultyDevice::create_buffer(bytes, kind);
  }
  void submit(Commands& commands) override {
    if (loses_work) throw Error(ErrorCode::device_lost, "device", "was lost");
    FaultyDevice::submit(commands);
  }
};

}  // namespace proxel::unit
