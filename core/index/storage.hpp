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
/// as the device's largest allocation asks for.
class Storage : public RowTarget {
 public:
  /// Takes no device memory yet.
  Storage(Device& device, std::uint64_t rows, std::uint32_t dimensions)
      : device_(device), rows_(rows), dimensions_(dimensions) {}

  /// Takes memory for the tiles, whose contents are undefined until packed.
  /// Throws Error(unsupported | out_of_memory).
  void create_tiles();

  Device& device() const { return device_; }
  std::uint64_t rows() const { return rows_; }
  std::uint32_t dimensions() const { return dimensions_; }
  /// The tiles, in ascending order of rows; none before create_tiles().
  std::span<const RowsSegment> segments() const { return segments_; }

  std::uint64_t pack_end(std::uint64_t first) const override;
  void record_pack(Recording& recording, const BufferView& source, std::uint64_t first,
                   std::uint32_t count) const override;
  /// Records how rows first … first + count - 1 become a row-major matrix,
  /// binary32 [count x dimensions], as queries are.
  void record_unpack(Recording& recording, std::uint64_t first, std::uint32_t count,
                     const BufferView& to) const;

 private:
  /// The segment that holds a row.
  const RowsSegment& segment_of(std::uint64_t row) const;

  Device& device_;
  std::uint64_t rows_;
  std::uint32_t dimensions_;
  std::vector<std::unique_ptr<Buffer>> tiles_;
  std::vector<RowsSegment> segments_;
};

}  // namespace proxel::index
