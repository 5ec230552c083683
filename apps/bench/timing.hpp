#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "proxel/device.hpp"

namespace proxel::tool {

struct Timed {
  double median_ms = 0;
  double min_ms = 0;
  std::uint32_t count = 0;
};

/// How long to measure one row.
struct Patience {
  double seconds = 0.3;     ///< no further repeat is begun after this long
  std::uint32_t least = 7;  ///< but at least so many, unless one takes seconds
  std::uint32_t most = 400;
};

/// Calls `once` without counting it, then repeatedly; it returns milliseconds.
/// @param turn  counts up from 0, so that inputs can be rotated
Timed repeat(const Patience& patience, const std::function<double(std::uint32_t turn)>& once);

/// The same for work on this machine's processor, timed by the host's clock. Work
/// that takes longer than ten times the patience is done once, without warm-up.
Timed repeat_on_host(const Patience& patience, const std::function<void()>& once);

/// Submits, waits and returns the device's time of the recording, or the
/// host's where the device has no timestamps. Commands need Timing::whole.
double device_milliseconds(Device& device, Commands& commands);
/// The time from submit to the return of wait, on the host's clock.
double host_milliseconds(Device& device, Commands& commands);

}  // namespace proxel::tool
