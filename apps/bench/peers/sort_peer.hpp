#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "proxel/device.hpp"

namespace proxel::tool {

/// Another library's sort of every row of a matrix in device memory: values
/// ascending, each with its column, of equal values the lower column first.
class SortPeer {
 public:
  virtual ~SortPeer() = default;
  /// Sorts once and returns the device's time, milliseconds.
  /// @param values  address of binary32 [rows x columns]; none is a NaN or -0,
  ///                which libraries order differently from proxel
  virtual double sort(std::uint64_t values) = 0;
  /// Columns and values of one sorted row.
  virtual void download(std::uint64_t row, std::uint32_t* columns, float* values) = 0;
};

struct SortPeerMaker {
  std::string name;  ///< in the tables: "cub_segmented_sort"
  bool one_row;      ///< sorts a single row only
  /// Throws Error(out_of_memory | backend_failure).
  std::unique_ptr<SortPeer> (*make)(std::uint32_t device, std::uint64_t rows, std::uint64_t columns);
};

/// CUB's sorts: of segments by size, of segments by digits, of one array by digits.
const std::vector<SortPeerMaker>& sort_peers();

/// Whether this build has CUB and the device is one that it runs on, or why not.
Support sort_peers_run_on(const Device& device);

// sort_peers() lists these; they exist where CUDA is built in.
std::unique_ptr<SortPeer> make_cub_segmented_sort(std::uint32_t device, std::uint64_t rows, std::uint64_t columns);
std::unique_ptr<SortPeer> make_cub_segmented_radix_sort(std::uint32_t device, std::uint64_t rows,
                                                        std::uint64_t columns);
std::unique_ptr<SortPeer> make_cub_radix_sort(std::uint32_t device, std::uint64_t rows, std::uint64_t columns);

}  // namespace proxel::tool
