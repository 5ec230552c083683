#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "index/host_rows.hpp"
#include "proxel/data.hpp"
#include "proxel/index.hpp"
#include "proxel/search.hpp"
#include "session/staged_copies.hpp"

namespace proxel::index {

/// Rows that become tiles of binary32 on the device block by block.
class BlockSource {
 public:
  virtual ~BlockSource() = default;

  /// Begins to bring rows first … first + count - 1, at most a block, in place
  /// of those before. May run on beside submitted work when it returns.
  virtual void load(std::uint64_t first, std::uint64_t count, SearchTimes& times) = 0;
  /// Returns when what load() began is done.
  virtual void finish_loading() = 0;
  /// Records how the rows that were loaded last become tiles.
  /// @param tiles  room for them: tiled_rows() of that count
  virtual void record_unload(Recording& recording, const passes::Rows& tiles) const = 0;

  /// Brings rows, in the type they are stored in and one after the other, to memory that the host reads.
  /// @param first  a multiple of 128
  /// @param to     has room for a multiple of 4 bytes
  virtual void read(std::uint64_t first, std::uint64_t count, Buffer& to) = 0;
  /// Rows as they would be given to search(); valid until the next call. Throws
  /// Error(unsupported) where the host has none.
  virtual MatrixView<float> rows(std::uint64_t first, std::uint64_t count) const = 0;
};

/// Rows in host memory, which outlive the source: one block of them is on the
/// device, row-major, while the one before it is searched.
class HostBlocks : public BlockSource {
 public:
  HostBlocks(Device& device, const HostRows& database, std::uint64_t block_rows);

  void load(std::uint64_t first, std::uint64_t count, SearchTimes& times) override;
  void finish_loading() override { copies_.finish(); }
  void record_unload(Recording& recording, const passes::Rows& tiles) const override;
  void read(std::uint64_t first, std::uint64_t count, Buffer& to) override;
  MatrixView<float> rows(std::uint64_t first, std::uint64_t count) const override {
    return database_.slice(first, count);
  }

 private:
  HostRows database_;
  std::uint64_t piece_rows_;
  std::unique_ptr<Buffer> raw_;
  session::StagedCopies copies_;
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

  void load(std::uint64_t first, std::uint64_t count, SearchTimes& times) override;
  void finish_loading() override {}
  void record_unload(Recording& recording, const passes::Rows& tiles) const override;
  void read(std::uint64_t first, std::uint64_t count, Buffer& to) override;
  MatrixView<float> rows(std::uint64_t first, std::uint64_t count) const override;

 private:
  Device& device_;
  ElementType type_;
  std::uint32_t dimensions_;
  std::uint64_t buffer_rows_;  // rows of every buffer but the last; whole tiles
  std::vector<std::unique_ptr<Buffer>> buffers_;
  std::uint64_t first_ = 0;  // of the rows loaded last
};

}  // namespace proxel::index
