#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "bench/recorder.hpp"
#include "bench/suite.hpp"
#include "proxel/matrix.hpp"
#include "proxel/neighbors.hpp"
#include "proxel/search.hpp"

namespace proxel::tool {

/// Records a search over the given copy of the database.
using RecordSearch = std::function<void(Recording&, std::uint32_t copy, const SearchBuffers&)>;

/// Medians of one search, its parts timed apart.
struct SearchTimings {
  Timed upload;    ///< queries from host memory to the device's, device time
  Timed compute;   ///< device time
  Timed readback;  ///< results to host memory, device time
  Timed call;      ///< all three in one submission, host's clock from copying the queries on
};

/// A recorded search with buffers of its own, submitted many times over.
/// In turn i it searches copy i mod copies with the queries of that copy.
class RecordedSearch {
 public:
  /// @param queries  [copies * shape.queries x dimensions]
  RecordedSearch(Device& device, const Shape& shape, std::uint64_t k, MatrixView<float> queries, std::uint32_t copies,
                 std::uint64_t scratch_bytes, const RecordSearch& record);

  Timed compute(const Patience& patience);
  Timed call(const Patience& patience);
  SearchTimings all(const Patience& patience);

  /// Submits the search of one copy and reads what it answers, [shape.queries x k].
  /// What an earlier submission left cannot pass for the answer.
  Neighbors answers(std::uint32_t copy);

  /// Submits every copy once and compares with the rows of `expected` that
  /// belong to its queries; as many queries of each copy as there are.
  /// @param expected  [copies * checked x k] where `checked` ≤ shape.queries
  std::optional<std::string> check(const Neighbors& expected);

 private:
  struct Turn {
    std::unique_ptr<Commands> upload, compute, readback, call;
  };
  Turn& turn(std::uint32_t number) { return turns_[number % turns_.size()]; }
  void stage_queries(std::uint32_t number);

  Device& device_;
  Shape shape_;
  std::uint64_t k_;
  MatrixView<float> queries_;
  std::unique_ptr<Buffer> staged_queries_, device_queries_, scratch_;
  std::unique_ptr<Buffer> indices_, distances_, read_indices_, read_distances_;
  std::vector<Turn> turns_;
};

/// What a device answers by method scan. "cpu", this machine's processor, is
/// what every device's answers are compared with.
Neighbors answers_of(const std::string& device, MatrixView<float> database, MatrixView<float> queries, std::uint64_t k,
                     Metric metric, ProgressBar& bar);

}  // namespace proxel::tool
