#pragma once

// One index of vectors over several processes, on one machine or many: the answers of one index, to the bit.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "proxel/export.h"
#include "proxel/graph.hpp"
#include "proxel/index.hpp"
#include "proxel/ranks.hpp"

PROXEL_PUBLIC_BEGIN
namespace proxel {

/// Who gets the answers of a DistributedIndex.
struct DistributedOptions {
  /// Whether every rank is sent each answer; otherwise rank 0 alone has it, and the others' are empty.
  bool answers_everywhere = false;
};

/// What one rank has of an index.
struct RankInfo {
  std::string device;      ///< its id on its host: "cuda:1"
  std::string host;        ///< the name of the machine
  std::uint64_t rows = 0;  ///< with those that have been removed
};

/// A database of which each of several processes has a part, its shard, searched as one Index: the same neighbours,
/// distances, counts, pages, numbers of rows and errors, to the bit. Rows are numbered in the order of ranks: the first row of rank
/// 1 follows the last of rank 0. All rows together are 1…2^32-2.
///
/// Every function that says "together" is called by all ranks, in the same order. What is asked is what rank 0 is given; the
/// others' arguments are not looked at and may be left empty. Queries are sent to all along a binary tree, each rank searches
/// its rows, and the answers are merged along a binary tree in host memory.
///
/// Where it fails on one rank, it throws on all: on that rank what failed there, on the others an Error of the same code
/// and subject, whose text names the rank. The others end a search that runs by then as they would for a progress that throws.
/// The index stays. Another call than that of rank 0 is such a failure. Where an exception of the caller's own unwinds an index, so
/// that the other ranks would wait for this one for ever, it ends them all (Ranks::abort()).
///
/// Used by one thread at a time.
class DistributedIndex {
 public:
  /// What a rank searches.
  struct Shard {
    std::optional<Index> index;  ///< none where the rank has no rows
    std::string device;          ///< the id of its device, for shards()
  };
  /// Makes this rank's shard. It runs inside the constructor, so that what it throws (a file that is missing, a device that
  /// fails) is told to all.
  using MakeShard = std::function<Shard()>;

  /// Together.
  /// @param ranks  who take part; it outlives the index
  /// @param make   makes this rank's shard, of as many dimensions as those of the others
  /// Throws Error(invalid_argument) where ranks differ in dimensions or type of rows, or none has any row; what `make` throws.
  DistributedIndex(Ranks& ranks, const MakeShard& make, const DistributedOptions& options = {});
  /// Together. The same of rows in memory.
  /// @param device  outlives the index
  /// @param shard   [n x d], this rank's rows; n may be 0
  DistributedIndex(Ranks& ranks, Device& device, MatrixView<float> shard, const IndexOptions& index_options = {},
                   const DistributedOptions& options = {});
  ~DistributedIndex();
  DistributedIndex(DistributedIndex&&) noexcept;
  DistributedIndex& operator=(DistributedIndex&&) noexcept;

  /// Together: Index::search(). SearchOptions::raw is refused. Filter, page before and self are of all rows, with their numbers.
  /// A progress is told of rank 0's part. The report adds up what all took and says in `devices` what each rank did; it has
  /// neither passes nor rungs.
  Neighbors search(MatrixView<float> queries, std::uint64_t k, Metric metric, const SearchOptions& options = {});
  /// Together: Index::search_rows(). The rows pass through rank 0.
  Neighbors search_rows(std::uint64_t first_row, std::uint64_t count, std::uint64_t k, Metric metric,
                        const SearchOptions& options = {});
  /// Together: Index::range_search().
  RangeNeighbors range_search(MatrixView<float> queries, float radius, Metric metric,
                              const SearchOptions& options = {});
  /// Together: Index::read_rows(). Rank 0 has them.
  Matrix<float> read_rows(std::span<const std::uint32_t> numbers);

  /// Together: Index::add(). All of them go from rank 0 to the rank that has the fewest rows and at least one.
  /// @return on every rank, the number of the first
  std::uint64_t add(MatrixView<float> rows);
  /// Together: Index::remove(). @return on every rank, how many had not been removed before
  /// The rows keep their numbers and their memory, until compact().
  std::uint64_t remove(std::span<const std::uint32_t> rows);
  /// Together: Index::compact(). A rank of whose rows none is left has no index any more.
  /// @param progress  is told of this rank's part; where it throws on one rank, or one fails otherwise, the index answers nothing,
  ///                  and every call says so, until compact() is called again and goes on
  /// @return on every rank, of each row the number that it has from now on; no_neighbor of those that are gone
  std::vector<std::uint32_t> compact(const Progress& progress = {});

  /// What follows is known on every rank and asks no other.
  std::uint64_t rows() const;  ///< of all ranks, with those that have been removed
  std::uint64_t removed_rows() const;
  std::uint32_t dimensions() const;
  std::uint32_t rank() const;
  const std::vector<RankInfo>& shards() const;  ///< of all ranks, in their order
  /// Host time that making the index took here, milliseconds.
  double build_milliseconds() const;

 private:
  friend Neighbors knn_graph(DistributedIndex& index, std::uint64_t k, Metric metric, const GraphOptions& options);
  struct PROXEL_HIDDEN Implementation;
  std::unique_ptr<Implementation> implementation_;
};

/// Together: the k-NN graph of all rows, as that of one index. Rows pass through rank 0. GraphOptions::rows is not looked at.
Neighbors knn_graph(DistributedIndex& index, std::uint64_t k, Metric metric, const GraphOptions& options = {});

}  // namespace proxel
PROXEL_PUBLIC_END
