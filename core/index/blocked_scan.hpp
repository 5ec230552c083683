#pragma once

#include <memory>

#include "index/block_source.hpp"
#include "index/live_rows.hpp"
#include "proxel/index.hpp"
#include "proxel/search.hpp"
#include "session/pace.hpp"

namespace proxel::index {

/// A scan over rows that become tiles on the device block by block, because all
/// of them do not fit or are stored in a narrower type. The blocks' answers are
/// merged by key, so that the answer is that of a scan over all, to the bit.
class BlockedScan {
 public:
  BlockedScan(Device& device, std::unique_ptr<BlockSource> source, std::uint64_t rows, std::uint32_t dimensions,
              std::uint64_t block_rows, const IndexOptions& options);

  /// Rows of a block; the last may have fewer.
  std::uint64_t block_rows() const { return block_rows_; }
  BlockSource& source() { return *source_; }

  /// Fills `result`, [queries x k], and its report but for the total time. What has been checked: the queries'
  /// dimensions, and k. Progress counts rows.
  /// @param ordered  as SearchOptions has it
  /// @param live     of all rows: others are not found
  void search(const MatrixView<float>& queries, std::uint64_t k, Metric metric, bool ordered, const LiveRows& live,
              const Progress& progress, Neighbors& result);

 private:
  struct BlockSearch;

  Device& device_;
  IndexOptions options_;
  std::uint64_t rows_;
  std::uint32_t dimensions_;
  std::uint64_t block_rows_;
  session::Pace pace_{device_};
  std::unique_ptr<Buffer> tiles_;  // the block that is searched
  std::unique_ptr<BlockSource> source_;
};

/// Over rows that stay in host memory, which outlive the result, with the block
/// that is searched and the next on the device.
/// @param memory_limit  of the two, bytes. Throws Error(invalid_argument) where
///                      it does not hold a tile of 128 rows twice.
std::unique_ptr<BlockedScan> streamed_scan(Device& device, const HostRows& database, const IndexOptions& options,
                                           std::uint64_t memory_limit);

/// Over rows that are uploaded in options.storage as `fill` writes them, widened
/// in blocks that take about options.scratch_limit.
std::unique_ptr<BlockedScan> stored_scan(Device& device, std::uint64_t rows, std::uint32_t dimensions,
                                         const StoredBlocks::Fill& fill, const IndexOptions& options,
                                         const Progress& progress);

}  // namespace proxel::index
