#pragma once

#include <functional>

#include "proxel/device.hpp"

namespace proxel::session {

/// Records work, submits it and waits: for what is done once per index, such
/// as bringing the rows into another form. Returns the milliseconds that the device
/// took, 0 where they are not measured.
double run_once(Device& device, const std::function<void(Recording&)>& record, Timing timing = Timing::none);

}  // namespace proxel::session
