#pragma once

// What a ShardedIndex is made of; its methods are in sharded_index.cpp, sharded_search.cpp, sharded_range.cpp and
// sharded_updates.cpp.

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "in_use.hpp"
#include "proxel/sharded_index.hpp"
#include "sharding/each_shard.hpp"
#include "sharding/row_numbers.hpp"

namespace proxel {

namespace sharding {

/// A device and what it has.
struct Shard {
  Device* device = nullptr;
  double share = 0;
  std::optional<Index> index;  // none where it has no rows
  RowNumbers numbers;          // where queries are divided those of all rows
};

/// Consecutive things of so many: [first, first + count).
struct Part {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
};

/// Divides things in their order by the shares, which add up to 1.
/// @param multiple  parts begin at multiples of this
std::vector<Part> divide(std::uint64_t total, std::span<const Shard> shards, std::uint64_t multiple);

/// The first rows of a database, so many.
using Sample = std::function<Matrix<float>(std::uint64_t rows)>;

/// The shares that were given, or of how fast the devices search a sample, adding up to 1.
/// @param rows  of the database
/// Throws Error(invalid_argument) for shares that are not of the devices.
std::vector<double> shares_of(std::span<Device* const> devices, std::uint64_t rows, const Sample& sample,
                              const ShardedOptions& options);

/// An index of rows first … first + count - 1 on a device.
using MakeIndex =
    std::function<Index(Device& device, std::uint64_t first, std::uint64_t count, const Progress& progress)>;

}  // namespace sharding

struct ShardedIndex::Implementation {
  InUse in_use;
  ShardedOptions options;
  std::vector<sharding::Shard> shards;
  std::uint64_t rows = 0;
  std::uint32_t dimensions = 0;
  std::uint64_t removed = 0;
  // What the rows of each shard are numbered now, while compact() is unfinished; without one where it is yet to be done.
  std::vector<std::optional<std::vector<std::uint32_t>>> compacted;
  std::string broken;  // why there will be no more answers, if so
  double build_milliseconds = 0;

  Implementation(std::span<Device* const> devices, std::uint64_t row_count, std::uint64_t columns,
                 const ShardedOptions& with, const sharding::Sample& sample, const sharding::MakeIndex& make,
                 const Progress& progress);

  bool by_rows() const { return options.division == Division::rows; }
  /// Throws Error(unsupported) where compact() was interrupted, or devices have no longer the same rows.
  void require_whole() const;

  /// Runs a function on every shard that has rows, at once.
  void each(const Progress& progress, std::uint64_t total,
            const std::function<void(sharding::Shard& shard, std::size_t i, const Progress& progress)>& work);
  /// The same of queries that are divided: (shard, i, its part, progress).
  void each_part(std::uint64_t queries, const Progress& progress,
                 const std::function<void(sharding::Shard&, std::size_t, sharding::Part, const Progress&)>& work);

  void add_to_all(const MatrixView<float>& added, const Progress& progress);
  void add_to_one(const MatrixView<float>& added, const Progress& progress);
  std::vector<std::uint32_t> renumber();

  Matrix<float> read_rows(std::span<const std::uint32_t> numbers);
  Neighbors search_by_rows(const MatrixView<float>& queries, std::uint64_t k, Metric metric, const SearchOptions& with);
  /// Rows that the index has are the queries, block by block through the host.
  Neighbors search_own_rows(sharding::Part rows_asked, std::uint64_t k, Metric metric, const SearchOptions& with);
  /// Has an index answer some of the queries.
  using SearchPartOf = std::function<Neighbors(Index& index, sharding::Part part, const SearchOptions& with)>;
  Neighbors search_by_queries(std::uint64_t queries, std::uint64_t k, const SearchOptions& with,
                              const SearchPartOf& search);
};

}  // namespace proxel
