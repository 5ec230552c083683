#pragma once

// What docs/proofs/screened.md says of screened scores, in double precision. Written
// from that page and the passes' headers; shares no code with the library.

#include <cstdint>
#include <string>
#include <vector>

#include "proxel/matrix.hpp"
#include "proxel/metric.hpp"

namespace proxel::conformance {

/// The frame as screen_origin wrote it.
struct Frame {
  float scale = 1;
  float largest_norm = 0;
  float step = 0;  ///< of codes
  std::vector<float> origin;
};

/// A frame read from its words. Empty origin where there are too few.
Frame frame_of(const std::vector<float>& words, std::uint64_t dimensions);

/// Whether the frame is what screen_origin promises; empty, or what it is not.
std::string frame_error(const Frame& frame, const MatrixView<float>& rows, bool centred);

/// Rows or queries packed by screen_pack, and what follows from them.
struct PackedOracle {
  bool queries = false;
  bool split = false;
  Metric metric = Metric::l2sq;
  std::uint64_t depth_blocks = 1;
  std::uint32_t sums = 0;  ///< of plain queries: screen_pack's

  /// Whether all halves, biases and bounds are right; empty, or the first that is not.
  std::string error(const Frame& frame, const MatrixView<float>& values, const std::vector<std::uint16_t>& halves,
                    const std::vector<float>& biases, const std::vector<float>& bounds) const;
};

/// Rows or queries encoded by screen_codes, and what follows from them.
struct CodedOracle {
  bool queries = false;
  Metric metric = Metric::l2sq;

  /// As of PackedOracle. Codes may be any whose residuals are within the bounds.
  std::string error(const Frame& frame, const MatrixView<float>& values, const std::vector<std::uint8_t>& codes,
                    const std::vector<float>& biases, const std::vector<float>& bounds) const;
};

/// Rows or queries packed by screen_integers, and what follows from them.
struct IntegerOracle {
  bool queries = false;
  Metric metric = Metric::l2sq;
  std::uint64_t depth_blocks = 1;

  /// As of PackedOracle; biases are integers of 32 bits. The frame's scale is 1, and its origin everywhere that of the pass.
  std::string error(const Frame& frame, const MatrixView<float>& values, const std::vector<std::int8_t>& integers,
                    const std::vector<std::int32_t>& biases, const std::vector<float>& bounds) const;
};

/// True scores of every query to every row, double [q x n]; minus infinity
/// where the row, NaN where the query is not finite in the frame.
Matrix<double> true_scores(const Frame& frame, const MatrixView<float>& queries, const MatrixView<float>& rows,
                           Metric metric);

/// The bound of the error of a score: [query][tile], from what was packed.
double error_bound(const std::vector<float>& query_bounds, std::uint64_t query, const std::vector<float>& row_bounds,
                   std::uint64_t tile);

}  // namespace proxel::conformance
