#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "proxel/index.hpp"

namespace proxel::tool {

/// The least time that a search of a shape can take if it ...  0: not known.
struct Floors {
  double read_ms = 0;    ///< reads database and queries once
  double float_ms = 0;   ///< forms all products of coordinates in binary32, two operations each
  double matrix_ms = 0;  ///< forms them on matrix units in half precision
};

/// A figure of another library, measured earlier on one NVIDIA H200.
struct PeerFigure {
  std::string name;  ///< library and version
  double ms = 0;
};

/// What the time of a k-NN search is held against.
struct Yardsticks {
  std::optional<double> target_ms;  ///< at most this, on the device the target was set for
  std::optional<PeerFigure> peer;   ///< the fastest published for the shape
  bool same_device = false;         ///< whether this device is one of the kind the peer ran on
  Floors floors;
  std::uint64_t scratch_bytes = 0;
  std::vector<RungCount> rungs;  ///< queries decided per rung, where the method has rungs
};

/// One line of the CSV: group,name,metric,n,q,d,k,median_ms,min_ms.
struct BenchRow {
  std::string group, name, metric;
  std::uint64_t n = 0, q = 0, d = 0, k = 0;
  double median_ms = 0;
  double min_ms = 0;
  /// For people; not in the CSV. "4.31 TB/s, 92 % of the read bandwidth"
  std::string remark;
  std::optional<Yardsticks> yardsticks;  ///< not in the CSV either
};

}  // namespace proxel::tool
