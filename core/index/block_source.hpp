#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "index/host_rows.hpp"
#include "index/pinned_rows.hpp"
#include "index/row_copy.hpp"
#include "proxel/data.hpp"
#include "proxel/index.hpp"
#include "proxel/search.hpp"
#include "session/staged_copies.hpp"

namespace proxel::index {

/// Some of the rows.
struct RowPart {
  std::uint64_t first = 0, count = 0;
  std::uint64_t place = 0;  ///< where they lie among as many as are on the device at once

  bool operator==(const RowPart&) const = default;
};

/// Rows that become tiles of binary32 on the device block by block.
class BlockSource {
 public:
  virtual ~BlockSource() = default;

  /// Whether rows are not on the device, so that to load them takes time.
  virtual bool loads() const = 0;
  /// Where a part of the rows may begin: multiples of so many.
  virtual std::uint64_t alignment() const = 0;
  /// Sends rows to the device in place of those that were there. Where the device copies beside submitted work any thread
  /// may call it, and finish_loading(), one at a time.
  /// @param stop   ends it early, with rows that are undefined
  /// @param first  called when the first of them have been sent, of which the last copy at most runs: all that was sent before them has
  ///               arrived when no more than one is on its way
  virtual void load(const RowPart& part, const std::stop_token& stop, const std::function<void()>& first) = 0;
  /// Returns when all that has been sent has arrived.
  /// @param but  of what was sent last so many copies may still be on their way
  virtual void finish_loading(std::uint32_t but = 0) = 0;
  /// Records how rows that were loaded become tiles.
  /// @param tiles  room for them: tiled_rows() of that count
  virtual void record_unload(Recording& recording, const RowPart& part, const passes::Rows& tiles) const = 0;

  /// Brings rows, in the type they are stored in and one after the other, to memory that the host reads.
  /// @param first  a multiple of 128
  /// @param to     has room for a multiple of 4 bytes
  virtual void read(std::uint64_t first, std::uint64_t count, Buffer& to) = 0;
  /// Rows as they would be given to search(), where they lie in host memory or brought to `room`, which outlives the
  /// result.
  virtual MatrixView<float> rows(std::uint64_t first, std::uint64_t count, Matrix<float>& room) = 0;
};

/// Rows in host memory, which outlive the source: one block of them is on the
/// device, row-major, while the one before it is searched.
class HostBlocks : public BlockSource {
 public:
  /// @param pinned  IndexOptions::pinned
  HostBlocks(Device& device, const HostRows& database, std::uint64_t block_rows, bool pinned);

  bool loads() const override { return true; }
  const HostRows& database() const { return database_; }
  std::uint64_t alignment() const override { return 1; }
  void load(const RowPart& part, const std::stop_token& stop, const std::function<void()>& first) override;
  void finish_loading(std::uint32_t but) override { device_.wait_copies(but); }
  void record_unload(Recording& recording, const RowPart& part, const passes::Rows& tiles) const override;
  void read(std::uint64_t first, std::uint64_t count, Buffer& to) override;
  MatrixView<float> rows(std::uint64_t first, std::uint64_t count, Matrix<float>&) override {
    return database_.slice(first, count);
  }

 private:
  // Rows on their way through memory that the device reads.
  struct Staged {
    Staged(Device& device, std::uint64_t piece_bytes) : copy(device), copies(device, piece_bytes) {}

    RowCopy copy;
    session::StagedCopies copies;
  };

  Device& device_;
  HostRows database_;
  std::uint64_t piece_rows_;
  std::unique_ptr<Buffer> raw_;
  std::optional<PinnedRows> pinned_;
  std::optional<Staged> staged_;  // unless they are pinned
  session::CopiesEnd end_;
};

/// Rows on the device in a narrower element type, row-major, in as many buffers
/// as the device's largest allocation asks for.
class StoredBlocks : public BlockSource {
 public:
  /// Writes rows first … first + count - 1, contiguous, in the type they are stored in.
  using Fill = std::function<void(std::uint64_t first, std::uint64_t count, void* to)>;

  /// Uploads the rows that `fill` writes.
  StoredBlocks(Device& device, std::uint64_t rows, std::uint32_t dimensions, ElementType type, const Fill& fill,
               const Progress& progress);

  bool loads() const override { return false; }
  /// Such a row begins at a word; where several buffers hold the rows it begins a tile, as each buffer does.
  std::uint64_t alignment() const override;
  void load(const RowPart&, const std::stop_token&, const std::function<void()>& first) override { first(); }
  void finish_loading(std::uint32_t) override {}
  void record_unload(Recording& recording, const RowPart& part, const passes::Rows& tiles) const override;
  void read(std::uint64_t first, std::uint64_t count, Buffer& to) override;
  MatrixView<float> rows(std::uint64_t first, std::uint64_t count, Matrix<float>& room) override;

 private:
  Device& device_;
  ElementType type_;
  std::uint32_t dimensions_;
  std::uint64_t row_bytes_;
  std::uint64_t buffer_rows_;  // rows of every buffer but the last; whole tiles
  std::vector<std::unique_ptr<Buffer>> buffers_;
  std::unique_ptr<Buffer> read_;  // by rows(), piece by piece
};

}  // namespace proxel::index
