#pragma once

#include <cstdint>
#include <string>

#include "command_line.hpp"
#include "groundtruth/sample_check.hpp"
#include "search_options.hpp"
#include "searched_devices.hpp"

namespace proxel::tool {

/// What `groundtruth` is told.
struct TruthOptions : SearchOptions {
  DeviceOptions devices;
  bool k_given = false;
  std::string output;
  std::string distances;         ///< a file of their own; empty: none
  std::string verify;            ///< ground truth of others; empty: none
  double tolerance = 0;          ///< relative, of what is verified
  std::uint64_t block_rows = 0;  ///< 0: as many as take about ten seconds
  double checkpoint_seconds = 30;
  bool restart = false;
  bool force = false;
  CheckSize check;

  /// Beside the output.
  std::string checkpoint() const { return output + ".checkpoint"; }
  std::string lock() const { return output + ".lock"; }
};

void add_truth_options(CLI::App& command, TruthOptions& options);

}  // namespace proxel::tool
