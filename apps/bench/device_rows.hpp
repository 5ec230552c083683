#pragma once

#include <memory>
#include <vector>

#include "proxel/matrix.hpp"
#include "proxel/papers/bustos.hpp"

namespace proxel::tool {

/// A database in device memory in the layout of proxel's own indexes, in
/// several equal copies. A benchmark that visits the copies in turn reads
/// memory and not a cache that still holds the data of the repeat before.
class DeviceRows {
 public:
  DeviceRows(Device& device, MatrixView<float> rows, std::uint32_t copies);

  std::uint32_t copies() const { return static_cast<std::uint32_t>(copies_.size()); }
  const std::vector<RowsSegment>& segments(std::uint32_t copy) const { return copies_[copy].segments; }

 private:
  struct Copy {
    std::vector<std::unique_ptr<Buffer>> buffers;
    std::vector<RowsSegment> segments;
  };
  std::vector<Copy> copies_;
};

/// The same as textures for texel search.
class DeviceTexels {
 public:
  DeviceTexels(Device& device, MatrixView<float> rows, std::uint64_t block_rows, std::uint32_t copies);

  std::uint32_t copies() const { return static_cast<std::uint32_t>(copies_.size()); }
  const TexelDatabase& database(std::uint32_t copy) const { return *copies_[copy]; }

 private:
  std::vector<std::unique_ptr<TexelDatabase>> copies_;
};

/// Copies that together are larger than any cache: 256 MiB, at most 32 copies,
/// fewer where the device's memory is small.
std::uint32_t copies_beyond_caches(const Device& device, std::uint64_t bytes);

}  // namespace proxel::tool
