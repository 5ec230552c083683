#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include <nlohmann/json.hpp>

#include "groundtruth/row_source.hpp"
#include "proxel/ground_truth.hpp"

namespace proxel::tool {

/// How much of an answer is held against brute force on the host.
struct CheckSize {
  std::uint64_t queries = 10;    ///< drawn at random; 0: none
  std::uint64_t rows = 100'000;  ///< drawn at random beside those that are listed; all, where there are no more
  std::uint64_t seed = 1;        ///< of what is drawn
};

/// What was compared, and what was wrong.
struct CheckResult {
  std::uint64_t queries = 0;
  std::uint64_t rows = 0;             ///< that each of them was compared with beside its own, distinct
  bool all_rows = false;              ///< that was a whole brute force
  std::uint64_t listed = 0;           ///< neighbours whose distance was computed anew
  std::uint64_t wrong_distances = 0;  ///< other bits, or of cosine and pearson farther off than their bound
  std::uint64_t wrong_order = 0;      ///< not behind the neighbour before, listed twice, or no row at all
  std::uint64_t missed = 0;           ///< rows that are nearer than the last that is listed, and are not
  double largest_difference = 0;      ///< of a listed distance to that of double precision, relative
  std::string first_wrong;            ///< what was found first

  bool right() const { return wrong_distances + wrong_order + missed == 0; }
};

/// Brute force by one thread, from the rows themselves.
/// @param look  called often; what it throws ends the check
CheckResult check_by_sampling(const RowSource& rows, const Matrix<float>& queries, const GroundTruth& truth,
                              Metric metric, const CheckSize& size, const std::function<void()>& look);

nlohmann::ordered_json to_json(const CheckResult& result, const CheckSize& size);
/// In words, one line.
std::string describe(const CheckResult& result, Metric metric);

}  // namespace proxel::tool
