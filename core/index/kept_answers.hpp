#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>

#include "index/row_copy.hpp"
#include "proxel/device.hpp"
#include "proxel/matrix.hpp"
#include "proxel/metric.hpp"
#include "proxel/neighbors.hpp"
#include "search/over_queries.hpp"
#include "session/round.hpp"

namespace proxel::index {

/// The queries of a search and the nearest that each has so far, on the device while block after block of rows is
/// searched: nothing of them passes between host and device in between.
class KeptAnswers {
 public:
  /// A k above this is merged by the host: an invocation would take a query's list alone for too long.
  static constexpr std::uint64_t most_k = 1024;

  /// Device memory that it takes, bytes.
  static std::uint64_t bytes(std::uint64_t queries, std::uint64_t dimensions, std::uint64_t k);

  /// Throws Error(out_of_memory). @param k  1 to most_k
  KeptAnswers(Device& device, std::uint64_t queries, std::uint64_t dimensions, std::uint64_t k);

  bool is_for(std::uint64_t queries, std::uint64_t k) const { return queries == queries_ && k == k_; }
  /// Has `kept` be for so many, made anew where it is not. Returns whether it is: it is null where memory ends.
  static bool keep(std::unique_ptr<KeptAnswers>& kept, Device& device, std::uint64_t queries, std::uint64_t dimensions,
                   std::uint64_t k);

  /// Brings the queries of another search; nothing has been found for them.
  void begin(const MatrixView<float>& queries);
  /// Copies some of them to where a round reads them, with the distance of the k-th that each has so far, where it reads that.
  /// Waits for nothing: the round is submitted behind it, and has ended before the next call of this or of add().
  void copy_queries(const session::Round& round, std::uint64_t first, std::uint64_t count);
  /// Adds what a round has found for some of them in a part of the rows, in order (SearchOptions::ordered).
  /// Waits for nothing either.
  /// @param columns      answers of a query
  /// @param first_index  of the part's rows
  void add(const session::Round& round, std::uint64_t first, std::uint64_t count, std::uint64_t columns,
           std::uint32_t first_index, Metric metric);
  /// What was added to all queries is what they have now.
  void end_part();
  /// Reads the nearest of all queries. @param metric  whose distances are written
  void read(Metric metric, Neighbors& nearest);

 private:
  // Records, submits and waits.
  void run(const std::function<void(Recording&)>& record);

  Device& device_;
  std::uint64_t queries_, dimensions_, k_;
  std::uint64_t at_once_;  // queries that pass between host and device
  std::unique_ptr<Buffer> asked_, staging_, indices_, distances_;
  std::unique_ptr<Buffer> bounds_;                  // binary32: how far the k-th of each query lies; NaN: it has none
  std::array<std::unique_ptr<Buffer>, 2> nearest_;  // keys: before this part, and with it
  bool empty_ = true;
  RowCopy copy_;
  search::OverQueries threads_;  // that write what is read
  // What is recorded alike for every part has commands of its own, which a backend may update instead of making them anew.
  // They go first.
  std::unique_ptr<Commands> commands_, asking_, merging_;
};

}  // namespace proxel::index
