#pragma once

#include <string>
#include <vector>

#include "proxel/device.hpp"

PROXEL_PUBLIC_BEGIN
namespace proxel {

/// What came of trying a device when it was opened. A device that computes wrongly is
/// not opened at all: open_device() throws Error(unsupported) that says what is wrong.
struct Trial {
  /// Whether numbers of magnitude below 2^-126 are kept. Where they become zero, so do
  /// differences and products as small, and answers differ from those of other devices.
  bool keeps_subnormals = true;
  /// Whether the driver ends the loops of an invocation once they have gone round some ten thousand times together.
  /// A search in which that happens throws Error(unsupported) and has no answer; on a caller's device it is not noticed.
  bool ends_long_loops = false;
  /// Whether its matrix units can sum products of halves up in half precision, and round such a sum to nearest once for each 16
  /// products (docs/proofs/screened.md). Otherwise, or on a device that was not tried, sums are of binary32.
  bool rounds_half_sums_once = false;
  /// What is done otherwise for this device's sake, or to be known of it: a sentence each.
  std::vector<std::string> remarks;
};

/// What the trial of an open device found. A caller's device that was wrapped is not tried, as nothing is submitted
/// to its queue: of one like it that this process opened as its own the result is known, and of
/// others what the driver promises.
const Trial& trial_of(const Device& device);

}  // namespace proxel
PROXEL_PUBLIC_END
