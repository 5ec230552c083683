#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "groundtruth/checkpoint.hpp"
#include "groundtruth/row_source.hpp"
#include "groundtruth/running_answer.hpp"
#include "groundtruth/truth_options.hpp"
#include "progress_bar.hpp"

namespace proxel::tool {

/// What a walk took, host seconds.
struct WalkReport {
  std::uint64_t first_row = 0;  ///< rows before it were done by a run before
  std::uint64_t blocks = 0;
  std::uint64_t largest_block = 0;  ///< rows
  std::string method;
  double seconds = 0;  ///< the whole walk; what it is made of:
  double waiting = 0;  ///< for rows to be read
  double building = 0, searching = 0, merging = 0, keeping = 0;
};

/// Passes over all rows of a database in blocks and keeps the nearest to each query.
class Walk {
 public:
  Walk(const RowSource& source, const Matrix<float>& queries, const TruthOptions& options, SearchedDevices& devices,
       nlohmann::json identity);

  /// Goes on with what a run before has done.
  void continue_from(Checkpoint&& kept);

  /// What is left of it. Keeps checkpoints at intervals and, where it ends early in whatever way, of all blocks that are
  /// done; tells then on stderr how to go on.
  GroundTruth run(ProgressBar& bar);

  /// Writes a checkpoint, for what fails behind run(): the same command need not search again. Tells so on stderr.
  void keep_what_is_done() noexcept;

  const WalkReport& report() const { return report_; }

 private:
  void search_rest(class ReadAhead& ahead, ProgressBar& bar);
  void search(const RowBlock& block, ProgressBar& bar);
  void keep();
  std::uint64_t block_at(std::uint64_t first) const;
  void learn(std::uint64_t rows, double seconds);

  const RowSource& source_;
  const Matrix<float>& queries_;
  const TruthOptions& options_;
  SearchedDevices& devices_;
  nlohmann::json identity_;
  RunningAnswer answer_;
  std::uint64_t rows_done_ = 0, rows_kept_ = 0;
  std::uint64_t block_rows_ = 0, most_rows_ = 0;
  bool warned_ = false;
  WalkReport report_;
};

}  // namespace proxel::tool
