#include "session/run_once.hpp"

namespace proxel::session {

double run_once(Device& device, const std::function<void(Recording&)>& record, Timing timing) {
  const auto commands = device.create_commands(timing);
  commands->begin();
  record(*commands);
  commands->end();
  device.submit(*commands);
  device.wait();
  const bool timed = timing != Timing::none && device.capabilities().timestamps;
  return timed ? commands->milliseconds() : 0;
}

void end_work(Device& device) noexcept {
  try {
    device.wait();
  } catch (...) {
    // It is lost, or whoever watches wants an end: the work has ended.
  }
}

void start(Device& device, std::unique_ptr<Commands>& commands, const std::function<void(Recording&)>& record,
           Timing timing) {
  if (!commands) commands = device.create_commands(timing);
  commands->begin();
  record(*commands);
  commands->barrier();  // what is submitted behind it begins with none
  commands->end();
  device.submit(*commands);
}

}  // namespace proxel::session
