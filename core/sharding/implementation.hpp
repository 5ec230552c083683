#pragma once

// What a ShardedIndex is made of; its methods are in sharded_index.cpp, sharded_search.cpp, sharded_range.cpp and
// sharded_updates.cpp.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "in_use.hpp"
#include "index/part_of_more.hpp"
#include "index/saved_rows.hpp"
#include "proxel/sharded_index.hpp"
#include "sharding/shards.hpp"

namespace proxel {

namespace sharding {

using Shard = ShardOf<Index>;

/// The first rows of a database, so many.
using Sample = std::function<Matrix<float>(std::uint64_t rows)>;

/// An index of some of the rows on a device.
using MakeIndex = std::function<Index(Device& device, Part part, const Progress& progress)>;

}  // namespace sharding

struct ShardedIndex::Implementation {
  InUse in_use;
  ShardedOptions options;
  std::unique_ptr<index::SavedRows> saved;  // the file that rows are streamed from, which shards read
  sharding::Shards<Index> shards;
  std::uint64_t rows = 0;
  std::uint32_t dimensions = 0;
  std::uint64_t removed = 0;
  // What the rows of each shard are numbered now, while compact() is unfinished; without one where it is yet to be done.
  std::vector<std::optional<std::vector<std::uint32_t>>> compacted;
  double build_milliseconds = 0;

  Implementation(std::span<Device* const> devices, std::uint64_t row_count, std::uint64_t columns,
                 const ShardedOptions& with, const sharding::Sample& sample, const sharding::MakeIndex& make,
                 const Progress& progress);

  bool by_rows() const { return shards.by_rows(); }
  /// Throws Error(unsupported) where compact() was interrupted, or devices have no longer the same rows.
  void require_whole() const;
  /// Where rows are divided, says to each device's index how many all of them are.
  void tell_rows();

  void add(const MatrixView<float>& added, const Progress& progress);
  std::vector<std::uint32_t> renumber();

  Matrix<float> read_rows(std::span<const std::uint32_t> numbers);
  Neighbors search_by_rows(const MatrixView<float>& queries, std::uint64_t k, Metric metric, const SearchOptions& with);
  /// Rows that the index has are the queries, block by block through the host.
  Neighbors search_own_rows(sharding::Part rows_asked, std::uint64_t k, Metric metric, const SearchOptions& with);
  /// Has an index answer some of the queries.
  using SearchPartOf = std::function<SearchReport(Index& index, sharding::Part part, const SearchOptions& with,
                                                  const index::TakeAnswers& take)>;
  Neighbors search_by_queries(std::uint64_t queries, std::uint64_t k, Metric metric, const SearchOptions& with,
                              const SearchPartOf& search);
};

}  // namespace proxel
