#pragma once

#include <memory>
#include <span>
#include <vector>

#include "proxel/device.hpp"
#include "proxel/search.hpp"

namespace proxel::index {

/// Where rows go that come from the host piece by piece.
class RowTarget {
 public:
  virtual ~RowTarget() = default;

  /// The end of the run of rows, starting at `first`, that record_pack takes at once.
  virtual std::uint64_t pack_end(std::uint64_t first) const = 0;
  /// Records how rows first … first + count - 1 reach their place.
  /// @param source  binary32 [count x dimensions], row-major
  virtual void record_pack(Recording& recording, const BufferView& source, std::uint64_t first,
                           std::uint32_t count) const = 0;
};

/// The rows of an index on its device: tiles of 128 rows, in as many buffers
/// as the device's largest allocation asks for. A second copy, as large, is
/// made of them the first time a metric asks for normalised rows, and kept: one
/// for cosine, one for pearson.
class Storage : public RowTarget {
 public:
  /// Takes no device memory yet.
  Storage(Device& device, std::uint64_t rows, std::uint32_t dimensions)
      : device_(device), rows_(rows), dimensions_(dimensions) {}

  /// Takes memory for the tiles, whose contents are undefined until packed.
  /// Throws Error(unsupported | out_of_memory).
  void create_tiles() { resize(plain_, rows_, 0); }
  /// Takes memory for another number of rows, half as much again where it has to
  /// take more, so that rows added one by one are moved seldom. Rows that are there
  /// stay; new ones are undefined until packed. What segments() gave is not valid
  /// any more. Throws as create_tiles() does, and has then changed nothing.
  /// @param memory_limit  of the rows, bytes, that what is taken for more of them stays
  ///                      below; 0: nothing is taken for more
  void set_rows(std::uint64_t rows, std::uint64_t memory_limit);
  /// Becomes so many rows in the memory of another storage of the same dimensions, which outlives this one, in place of that
  /// one's first; takes no memory of its own. Rows are undefined until packed.
  void lie_within(const Storage& other, std::uint64_t rows);
  /// The rows behind the first `rows` go, at least one stays; takes and moves nothing.
  void shorten(std::uint64_t rows) noexcept;
  /// The rows of another storage of the same device and dimensions, instead of these.
  void take(Storage&& other) noexcept;
  /// To be called when rows from `first` on have been packed anew: normalised
  /// copies follow when they are next asked for.
  void rows_changed(std::uint64_t first);

  Device& device() const { return device_; }
  std::uint64_t rows() const { return rows_; }
  std::uint32_t dimensions() const { return dimensions_; }
  /// Whether there are rows to read; a method may keep its own instead.
  bool has_tiles() const { return !plain_.segments.empty(); }
  /// The tiles as they were given, in ascending order of rows.
  std::span<const RowsSegment> segments() const { return plain_.segments; }
  /// From now on other rows take the place of these again and again, between searches that have ended: a copy that follows
  /// them is submitted, for what is submitted behind it, and not waited for.
  void let_rows_pass() { passing_ = true; }
  /// The tiles as the metric accumulates them. Allocates, computes and waits
  /// where a normalised copy has to be made or to follow. Valid until set_rows() or lie_within().
  std::span<const RowsSegment> segments(Metric metric);

  std::uint64_t pack_end(std::uint64_t first) const override;
  void record_pack(Recording& recording, const BufferView& source, std::uint64_t first,
                   std::uint32_t count) const override;
  /// Records how rows first … first + count - 1, as they were given, become a
  /// row-major matrix, binary32 [count x dimensions], as queries are.
  void record_unpack(Recording& recording, std::uint64_t first, std::uint32_t count, const BufferView& to) const;
  /// Does that, for the host.
  /// @param to  memory that the host reads
  void read(std::uint64_t first, std::uint64_t count, Buffer& to) const;

 private:
  struct Tiles {
    std::vector<std::unique_ptr<Buffer>> buffers;
    std::vector<RowsSegment> segments;
    std::uint64_t current = 0;  // of a copy: rows that are as the rows themselves say
  };
  void resize(Tiles& tiles, std::uint64_t rows, std::uint64_t memory_limit) const;
  std::unique_ptr<Buffer> enlarged(Buffer* old, std::uint64_t bytes, std::uint64_t most_bytes) const;
  /// The segment that holds a row.
  const RowsSegment& segment_of(std::uint64_t row) const;

  Device& device_;
  std::uint64_t rows_;
  std::uint32_t dimensions_;
  Tiles plain_, cosine_, pearson_;
  bool passing_ = false;
  std::unique_ptr<Commands> following_;  // where rows pass; it goes first
};

}  // namespace proxel::index
