#pragma once

#include <memory>
#include <vector>

#include "index/live_rows.hpp"
#include "index/storage.hpp"
#include "index/upload.hpp"

namespace proxel::index {

/// Takes the removed rows out of a storage. The others are written beside it, so that it stays
/// what it is until the end; where the memory has no room for that, they move up in place.
class Compaction {
 public:
  /// Takes all the memory that it needs.
  /// @param live          some of its rows have been removed, not all; stays what it is
  /// @param memory_limit  of all rows, the old ones and the new ones, bytes
  /// Throws Error(out_of_memory).
  Compaction(Storage& storage, const LiveRows& live, std::uint64_t memory_limit);

  /// Returns when the storage has the live rows alone. Where it throws, because the device or
  /// `progress` does, it goes on from there when it is called again.
  void run(const Progress& progress);
  /// Whether the storage is neither what it was nor what it shall be.
  bool torn() const { return torn_; }
  /// For each row that there was, what it is now or no_neighbor.
  std::vector<std::uint32_t>& numbers() { return numbers_; }

 private:
  void read(std::uint64_t count);
  void write(std::uint64_t count);

  Storage& storage_;
  const LiveRows& live_;
  std::vector<std::uint32_t> numbers_;
  std::uint32_t kept_ = 0;
  std::unique_ptr<Storage> beside_;  // null: in place
  std::uint64_t piece_;              // rows that pass through the host at a time
  std::unique_ptr<Buffer> incoming_;
  Matrix<float> pending_;  // rows on their way, of which whole tiles are written as they fill
  RowUpload upload_;
  std::uint64_t taken_ = 0, pending_rows_ = 0, written_ = 0;
  bool torn_ = false;
};

}  // namespace proxel::index
