#include "index/run_once.hpp"

namespace proxel::index {

void run_once(Device& device, const std::function<void(Recording&)>& record) {
  const auto commands = device.create_commands(Timing::none);
  commands->begin();
  record(*commands);
  commands->end();
  device.submit(*commands);
  device.wait();
}

}  // namespace proxel::index
