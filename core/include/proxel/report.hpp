#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "proxel/device.hpp"
#include "proxel/export.h"

PROXEL_PUBLIC_BEGIN
namespace proxel {

/// Where the time of one search went. Where rows are streamed, upload is the time in which the search waited for them:
/// what was copied while the device computed is not in it.
struct SearchTimes {
  /// Queries to the device, host clock. The first search of a kind makes its plan in it as well: pipelines, and the method's copy of the rows.
  double upload_milliseconds = 0;
  double compute_milliseconds = 0;   ///< device timestamps; host clock where there are none
  double readback_milliseconds = 0;  ///< results to the host, host clock
  double total_milliseconds = 0;     ///< the whole call, host clock
  std::vector<PassTime> passes;      ///< with Timing::passes only
};

/// How many queries one rung of a certified search decided. A rung is a way to
/// answer that is tried where the one before it could not prove its answer.
struct RungCount {
  std::string rung;  ///< what people are shown: "half precision", "canonical"
  std::uint64_t queries = 0;
};

/// What one of several devices did of a search.
struct DeviceShare {
  std::uint64_t blocks = 0;
  double milliseconds = 0;  ///< of its blocks, by its own clock
};

/// What one search took and did; it comes back with the answer.
struct SearchReport {
  std::string_view method;  ///< that answered, a literal: "fused", "screened"; empty where there were no queries
  SearchTimes times;
  std::vector<RungCount> rungs;  ///< first rung first; empty where a method has no rungs
  /// Pairs of a query and an object that candidates or pivots did not leave out; 0 where a method does not count them.
  std::uint64_t compared = 0;
  /// How many of those had their distance evaluated as it is returned; 0 where a method does not count them.
  std::uint64_t evaluated = 0;
  std::vector<DeviceShare> devices;  ///< of an index on several devices, in their order; otherwise empty
};

}  // namespace proxel
PROXEL_PUBLIC_END
