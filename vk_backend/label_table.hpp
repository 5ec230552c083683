#pragma once

#include <mutex>

namespace proxel::vulkan {

/// To be held by whatever looks for the labels of a command buffer or changes them: while one begins or ends, and while the
/// buffer is allocated, begun, reset or destroyed. Validation layers (1.3.239, Debian 12) keep the labels of all devices of a
/// process in one table, which a destroyed command pool leaves without their lock: threads that use a device each end in
/// SIGSEGV (docs/drivers.md).
/// @param labels  whether there are any; otherwise nothing is locked
std::unique_lock<std::mutex> hold_label_table(bool labels);

}  // namespace proxel::vulkan
