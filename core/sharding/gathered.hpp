#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include "proxel/metric.hpp"
#include "search/merge_rows.hpp"
#include "search/over_queries.hpp"
#include "session/room.hpp"
#include "sharding/row_numbers.hpp"

namespace proxel::sharding {

/// The k nearest of each query, of which devices bring blocks, each on its own thread: answers go from the memory they were
/// read back to into the whole answer, with no copy in between.
class Gathered {
 public:
  /// @param merges   whether devices bring parts of each query's answer, ordered; otherwise they bring some queries' answers
  /// @param threads  stay from one call to the next, and outlive this
  /// Throws as session::neighbors_room() does, also the others.
  Gathered(std::uint64_t queries, std::uint64_t k, Metric metric, bool merges, search::KeptThreads& threads);

  /// Makes the room for all, and has the threads that fill it start, while devices search. What brings a block before that does so.
  void make_room();
  /// Adds what a device found for queries from `first` on. From any thread.
  /// @param numbers  of that device's rows
  void add(const search::OrderedRows& found, std::uint64_t first, const RowNumbers& numbers);
  /// All of it, when all is there; where devices brought parts it is ordered.
  Neighbors take();

 private:
  Neighbors& room();
  // What was found for these queries, which have nothing yet.
  void copy(const search::OrderedRows& found, std::uint64_t first, const RowNumbers& numbers, Neighbors& all) const;
  // The same where they have neighbours.
  void merge(const search::OrderedRows& found, std::uint64_t first, const RowNumbers& numbers, Neighbors& all) const;

  std::uint64_t queries_, k_;
  Metric metric_;
  bool merges_;
  search::KeptThreads& kept_;
  session::RoomBeside room_;
  std::mutex making_;
  std::optional<search::OverQueries> threads_;  // once there is room
  std::mutex adding_;                           // who uses them
  std::vector<char> has_;                       // of each query, whether it has neighbours that others are merged with
};

}  // namespace proxel::sharding
