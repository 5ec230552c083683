#pragma once

// One index of vectors over several devices: the answers of one index, to the bit.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "proxel/data.hpp"
#include "proxel/division.hpp"
#include "proxel/export.h"
#include "proxel/graph.hpp"
#include "proxel/index.hpp"

PROXEL_PUBLIC_BEGIN
namespace proxel {

using ShardedOptions = ShardedOptionsOf<IndexOptions>;

/// A database on several devices of any kinds, searched as one Index: the same neighbours, distances, counts, pages,
/// numbers of rows and errors, to the bit, however it is divided. Devices work at once, each on a thread of the call's
/// own; progress is told on the calling thread.
///
/// Where a device fails the call says which and why (Error, whose subject is the device's id), after the others have
/// ended. The index stays, and answers again when the device does: a device that is lost says so at every call.
///
/// Used by one thread at a time.
class ShardedIndex {
 public:
  /// Uploads a copy of the database, or of parts of it, or streams what does not fit.
  /// @param devices   1 … 64, each once; they outlive the index. One that is opened twice counts as two
  /// @param database  [n x d]; n is 1…2^32-2, d at least 1. Where Index::fits() says no for a part it outlives the index
  /// @param progress  told of rows uploaded; may be empty
  /// Throws as Index does, and Error(invalid_argument) for devices and shares.
  ShardedIndex(std::span<Device* const> devices, MatrixView<float> database, const ShardedOptions& options = {},
               const Progress& progress = {});
  /// The same for rows in the type they are stored in, as Index has it.
  ShardedIndex(std::span<Device* const> devices, const ElementsView& database, const ShardedOptions& options,
               const Progress& progress = {});
  /// An index that Index::save() has written, divided among these devices: it answers as Index::load() of it does on one, with the
  /// rows that had been removed. All rows are held against their checksums here, before any device has them. The file is
  /// mapped and kept open as long as the index; it must neither become shorter nor be written to meanwhile: what is streamed
  /// is not held against checksums again.
  /// @param options  of storage nothing is looked at: the file says it. Where the method is automatic it is the saved
  ///                 index's, with its paper options, if each device has room for all rows
  /// Throws as Index::load() does, and Error(invalid_argument) for devices and shares.
  static ShardedIndex load(std::span<Device* const> devices, const std::string& path,
                           const ShardedOptions& options = {}, const Progress& progress = {});
  ~ShardedIndex();
  ShardedIndex(ShardedIndex&&) noexcept;
  ShardedIndex& operator=(ShardedIndex&&) noexcept;

  /// Index::search(). Where rows are divided SearchOptions::raw is refused: what a method's own arithmetic loses
  /// depends on the division. The report adds up the devices' work; its devices are in their order.
  Neighbors search(MatrixView<float> queries, std::uint64_t k, Metric metric, const SearchOptions& options = {});
  /// Index::search_rows(). Where rows are divided they pass through the host, from the device that has them to the others.
  Neighbors search_rows(std::uint64_t first_row, std::uint64_t count, std::uint64_t k, Metric metric,
                        const SearchOptions& options = {});
  /// Index::range_search().
  RangeNeighbors range_search(MatrixView<float> queries, float radius, Metric metric,
                              const SearchOptions& options = {});
  /// Index::read_rows().
  Matrix<float> read_rows(std::span<const std::uint32_t> numbers);

  /// Index::add(). Where rows are divided all of them go to one device: that which has the fewest for its share, or
  /// the next that has room.
  std::uint64_t add(MatrixView<float> rows, const Progress& progress = {});
  /// Index::remove().
  std::uint64_t remove(std::span<const std::uint32_t> rows);
  std::uint64_t removed_rows() const;
  /// Index::compact(), on all devices at once. Where it is interrupted, some may be done and others not: the index
  /// then answers nothing, and every call says so, until compact() is called again and goes on.
  std::vector<std::uint32_t> compact(const Progress& progress = {});

  /// Index::supports(), of every device. Where rows are divided, all of them have to be enough for k, not those of each.
  Support supports(Metric metric, std::uint64_t k) const;

  /// Rows, with those that have been removed.
  std::uint64_t rows() const;
  std::uint32_t dimensions() const;
  Division division() const;
  /// IndexOptions::storage.
  ElementType storage() const;
  /// The method of the options, or of the saved index.
  Method method() const;
  std::vector<ShardInfo> shards() const;
  /// Index::block_rows() where the rows of a device pass in more than one block; of several such devices the smallest.
  /// Otherwise 0.
  std::uint64_t block_rows() const;
  /// Host time that trying the devices, uploading and packing took, milliseconds.
  double build_milliseconds() const;

 private:
  struct PROXEL_HIDDEN Implementation;
  std::unique_ptr<Implementation> implementation_;
};

/// The k-NN graph of all rows, as that of one index.
Neighbors knn_graph(ShardedIndex& index, std::uint64_t k, Metric metric, const GraphOptions& options = {});

}  // namespace proxel
PROXEL_PUBLIC_END
