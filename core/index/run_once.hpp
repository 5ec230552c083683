#pragma once

#include <functional>

#include "proxel/device.hpp"

namespace proxel::index {

/// Records work, submits it and waits: for what is done once per index, such
/// as bringing the rows into another form.
void run_once(Device& device, const std::function<void(Recording&)>& record);

}  // namespace proxel::index
