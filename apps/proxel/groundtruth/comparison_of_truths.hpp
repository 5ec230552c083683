#pragma once

#include <cstdint>
#include <string>

#include <nlohmann/json.hpp>

#include "groundtruth/row_source.hpp"
#include "proxel/ground_truth.hpp"

namespace proxel::tool {

/// How ground truth that somebody made differs from ours.
struct TruthDifference {
  std::uint64_t ids = 0;          ///< that were compared: queries x k
  std::uint64_t same_place = 0;   ///< the same id at the same place
  std::uint64_t other_place = 0;  ///< ids of the true ones at another place
  std::uint64_t misplaced = 0;    ///< of those: not among equal distances
  std::uint64_t other_ids = 0;    ///< ids that are not among the true ones, or are listed a second time
  std::uint64_t ties = 0;         ///< of those: as far as the last true one
  std::uint64_t within = 0;       ///< of those: farther, but within the tolerance
  /// Ids that are farther, or no rows, or listed twice; and distances that are no numbers where there are some, or the reverse.
  std::uint64_t errors = 0;
  double largest_excess = 0;    ///< by how much an id is farther than the last true one, relative
  std::uint64_t distances = 0;  ///< that were compared, of ids that are true
  std::uint64_t other_distances = 0;
  double largest_difference = 0;  ///< relative
  std::string first_error;

  bool right() const { return errors == 0 && misplaced == 0; }
};

/// @param ours       exact, with as many neighbours as are compared; `theirs` has at least as many, of as many queries
/// @param tolerance  relative, within which a farther row is a matter of rounding
TruthDifference compare_truths(const RowSource& rows, const Matrix<float>& queries, const GroundTruth& ours,
                               const GroundTruth& theirs, Metric metric, double tolerance);

nlohmann::ordered_json to_json(const TruthDifference& difference);
/// In words, with the name of the file.
std::string describe(const TruthDifference& difference, const std::string& path);

}  // namespace proxel::tool
