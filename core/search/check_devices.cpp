// What is checked of devices, and of buffers with theirs: a file of its own, because parsers of files check
// sizes and know no device.

#include <algorithm>

#include <fmt/format.h>

#include "search/check.hpp"

namespace proxel::search {

void require_pinnable(const void* memory, std::uint64_t bytes) {
  if (!memory) throw Error(ErrorCode::invalid_argument, "memory", "is null");
  if (bytes == 0) throw Error(ErrorCode::invalid_argument, "bytes", "0 was given, at least 1 is allowed");
}

void require_devices(std::span<Device* const> devices) {
  require_range("devices", devices.size(), 1, 64);
  for (std::size_t i = 0; i < devices.size(); ++i) {
    if (!devices[i]) throw Error(ErrorCode::invalid_argument, "devices", fmt::format("device {} is null", i));
    if (std::find(devices.begin(), devices.begin() + static_cast<std::ptrdiff_t>(i), devices[i]) !=
        devices.begin() + static_cast<std::ptrdiff_t>(i))
      throw Error(ErrorCode::invalid_argument, "devices",
                  fmt::format("{} was given twice; one that is opened twice may be", devices[i]->info().id));
  }
}

void require_of_device(const char* name, const BufferView& view, const Device& device) {
  const Device* owner = view.buffer->device();
  if (!owner)
    throw Error(ErrorCode::invalid_argument, name,
                fmt::format("is a buffer that does not say its device, {} is needed", device.info().id));
  if (!owner->shares_addresses(device))
    throw Error(ErrorCode::invalid_argument, name,
                fmt::format("is a buffer of the device {}, the recording is of {}{}", owner->info().id,
                            owner->info().id == device.info().id ? "another " : "", device.info().id));
}

namespace {

void require_transferable(const Device& device, const char* name, const BufferView& view) {
  if (!view.buffer) throw Error(ErrorCode::invalid_argument, name, "no buffer was given");
  require_buffer(name, view, view.bytes, 1);
  require_of_device(name, view, device);
}

}  // namespace

void require_copy(const Device& device, const BufferView& from, const BufferView& to) {
  require_transferable(device, "copied buffer", from);
  require_transferable(device, "buffer that is copied to", to);
  if (to.bytes < from.bytes)
    throw Error(ErrorCode::invalid_argument, "buffer that is copied to",
                fmt::format("{} bytes were given, {} are needed", to.bytes, from.bytes));
}

void require_fill(const Device& device, const BufferView& view) { require_transferable(device, "filled buffer", view); }

}  // namespace proxel::search
