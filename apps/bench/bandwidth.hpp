#pragma once

#include "bench/timing.hpp"
#include "proxel/device.hpp"

namespace proxel::tool {

/// What the device's memory gives in this run, bytes per millisecond.
struct Bandwidth {
  double read = 0;          ///< reading alone: the larger of the two measurements below
  double copy = 0;          ///< a copy, reads and writes counted together
  double scan_of_keys = 0;  ///< select_rows over one long row: every word is read once
};

/// Measures over buffers far larger than any cache: 2 GiB, or an eighth of the
/// device's memory where that is less.
Bandwidth measure_bandwidth(Device& device, const Patience& patience, bool quick);

}  // namespace proxel::tool
