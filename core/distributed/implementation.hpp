#pragma once

// What a DistributedIndex is made of; its methods are in distributed_index.cpp, distributed_search.cpp and distributed_updates.cpp.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "distributed/exchange.hpp"
#include "distributed/parcels.hpp"
#include "in_use.hpp"
#include "proxel/distributed_index.hpp"
#include "sharding/part_search.hpp"

namespace proxel {

struct DistributedIndex::Implementation {
  InUse in_use;
  Ranks& ranks;
  DistributedOptions options;
  std::optional<Index> shard;
  std::string device;  // that it is on
  sharding::RowNumbers numbers;
  std::vector<RankInfo> infos;
  std::uint64_t rows = 0;
  std::uint32_t dimensions = 0;
  std::uint64_t removed = 0;
  std::string broken;  // why there will be no more answers, if so
  // Where compact() was interrupted, which may be called again: what this rank's rows have become, if it is done here.
  bool compacting = false;
  std::optional<std::vector<std::uint32_t>> compacted;
  double build_milliseconds = 0;
  int exceptions = 0;  // that were under way when the index was made

  Implementation(Ranks& who, const DistributedOptions& with);
  ~Implementation();

  bool is_root() const { return ranks.rank() == 0; }

  /// A call of all ranks: on rank 0 it asks them, elsewhere it does what is asked.
  /// @param asks  one step or more, of which the last is marked so
  void together(distributed::Call call, const std::function<void()>& asks);
  /// One step of all ranks.
  /// @param request  on rank 0 the question, elsewhere room for it
  /// @param called   by the caller here
  void step(distributed::Request& request, distributed::Call called);
  /// Sends rank 0's answer to all.
  template <typename T>
  void share(T& parcel) {
    distributed::Exchange exchange(ranks);
    exchange.broadcast(parcel);
    exchange.agree();
  }

  void introduce();
  void search_step(distributed::Exchange& exchange, const distributed::Request& request);
  void range_step(distributed::Exchange& exchange, const distributed::Request& request);
  void read_step(distributed::Exchange& exchange, const distributed::Request& request);
  void add_step(distributed::Exchange& exchange, distributed::Request& request);
  void remove_step(distributed::Exchange& exchange, const distributed::Request& request);
  void compact_step(distributed::Exchange& exchange);
  /// The rows that are left are numbered from 0 on. @return the number of each row that was, no_neighbor of one that is gone
  std::vector<std::uint32_t> renumber(const distributed::KeptParcel& kept);

  // On rank 0.
  void prepare(distributed::Call call);
  void require_whole() const;
  Matrix<float> read(distributed::Call call, std::span<const std::uint32_t> wanted, bool last);
  Neighbors search(distributed::Call call, const MatrixView<float>& queries, std::uint64_t k, Metric metric,
                   const SearchOptions& with, bool last);
  Neighbors search_own_rows(distributed::Call call, std::uint64_t first, std::uint64_t count, std::uint64_t k,
                            Metric metric, const SearchOptions& with);

  /// A call whose answer is neighbours. @param asks  on rank 0: finds them
  Neighbors neighbors_together(distributed::Call call, const std::function<Neighbors()>& asks);

  // Of the step that is being done; on rank 0 what was found.
  Progress progress;
  Neighbors neighbors;
  RangeNeighbors matches;
  distributed::RowsParcel read_rows;
  MatrixView<float> added;
  std::uint64_t removed_now = 0;
  std::vector<std::uint32_t> numbers_now;
};

}  // namespace proxel
