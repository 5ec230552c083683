#pragma once

#include <array>
#include <cstdint>
#include <mutex>

#include "proxel/metric.hpp"
#include "search/merge_rows.hpp"
#include "session/room.hpp"
#include "sharding/row_numbers.hpp"

namespace proxel::sharding {

/// The k nearest of each query, of which devices bring blocks, each on its own thread: answers go from the memory they were
/// read back to into the whole answer, with no copy in between.
class Gathered {
 public:
  /// @param merges  whether devices bring parts of each query's answer, ordered; otherwise they bring some queries' answers
  /// Throws as session::neighbors_room() does, also the others.
  Gathered(std::uint64_t queries, std::uint64_t k, Metric metric, bool merges);

  /// Makes the room for all while devices search. What brings a block before that makes it.
  void make_room();
  /// Adds what a device found for queries from `first` on. From any thread.
  /// @param numbers  of that device's rows
  void add(const search::OrderedRows& found, std::uint64_t first, const RowNumbers& numbers);
  /// All of it, when all is there; where devices brought parts it is ordered.
  Neighbors take();

 private:
  Neighbors& room();
  void merge(const search::OrderedRows& found, std::uint64_t first, Neighbors& all);

  std::uint64_t queries_;
  Metric metric_;
  bool merges_;
  bool padded_ = false;
  session::RoomBeside room_;
  std::mutex padding_;
  // Of as many runs of queries, so that devices merge into different ones at once.
  std::array<std::mutex, 64> merging_;
};

}  // namespace proxel::sharding
