#pragma once

#include <functional>
#include <memory>

#include "proxel/device.hpp"

namespace proxel::session {

/// Records work, submits it and waits: for what is done once per index, such
/// as bringing the rows into another form. Returns the milliseconds that the device
/// took, 0 where they are not measured.
double run_once(Device& device, const std::function<void(Recording&)>& record, Timing timing = Timing::none);

/// Waits for a device before memory goes that its work uses; a lost one has none.
void end_work(Device& device) noexcept;

/// Calls that when it goes.
class WorkEnds {
 public:
  explicit WorkEnds(Device& device) : device_(device) {}
  ~WorkEnds() { end_work(device_); }
  WorkEnds(const WorkEnds&) = delete;
  WorkEnds& operator=(const WorkEnds&) = delete;

 private:
  Device& device_;
};

/// Records work and submits it, for what is submitted behind it, and waits for nothing.
/// @param commands  of the work before, which has finished, or null: they are made
void start(Device& device, std::unique_ptr<Commands>& commands, const std::function<void(Recording&)>& record,
           Timing timing);

}  // namespace proxel::session
