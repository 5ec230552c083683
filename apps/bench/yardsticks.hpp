#pragma once

#include "bench/bandwidth.hpp"
#include "bench/bench_row.hpp"
#include "bench/suite.hpp"

namespace proxel::tool {

/// Rates that no search can pass on a device.
struct Rates {
  double read = 0;         ///< bytes per millisecond, measured in the same run
  double float_rate = 0;   ///< 10^12 binary32 operations per second; 0: not known
  double matrix_rate = 0;  ///< the same of matrix units in half precision; 0: not known
};

/// The measured read rate, and the rates that were given by the options; for
/// those not given, the ones known of the device, if any.
Rates rates_of(const Device& device, const Bandwidth& bandwidth, const BenchOptions& options);

Floors floors_of(const Shape& shape, const Rates& rates);

}  // namespace proxel::tool
