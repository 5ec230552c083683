#include "bench/suite.hpp"

#include <algorithm>
#include <string>

#include <fmt/format.h>
#include <unistd.h>

#include "devices.hpp"
#include "format.hpp"

namespace proxel::tool {

void on_device(const std::string& id, Recorder& recorder, const std::function<void(Device&)>& measure) {
  try {
    const auto device = open_checked(id);
    measure(*device);
  } catch (const Error& error) {
    const std::string what = error.what();
    recorder.failure(what.starts_with(id + ": ") ? what : fmt::format("{}: {}", id, what));
  }
}

std::uint64_t rows_that_fit(std::uint64_t wanted, std::uint64_t row_bytes, const Device& device, Recorder& recorder) {
  const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  const std::uint64_t host = page * static_cast<std::uint64_t>(sysconf(_SC_AVPHYS_PAGES));
  const Capabilities& can = device.capabilities();
  // Half of the device for the database. The host holds the data; a device
  // that is the host holds them a second time, and texel search's textures too.
  std::uint64_t allowed = can.runs_on_host ? host / 4 : host / 2;
  if (!can.runs_on_host && can.memory_bytes != 0) allowed = std::min(allowed, can.memory_bytes / 2);
  const std::uint64_t fit = std::max<std::uint64_t>(allowed / row_bytes, 1);
  if (fit < wanted)
    recorder.note(fmt::format("{}: memory for {} of {} rows of {} bytes; larger sizes are left out", device.info().id,
                              with_separators(fit), with_separators(wanted), row_bytes));
  return std::min(wanted, fit);
}

}  // namespace proxel::tool
