#include "bench/device_rows.hpp"

#include <algorithm>
#include <cstring>
#include <functional>

#include "interrupt.hpp"
#include "proxel/passes/pack_tiles.h"

namespace proxel::tool {
namespace {

constexpr std::uint64_t staging_bytes = std::uint64_t{64} << 20;
constexpr std::uint64_t beyond_caches = std::uint64_t{256} << 20;

// Brings rows to the device piece by piece and lets `record` put them in place.
// @param end_of_run  rows up to there may be put in place together with row `first`
void pack(Device& device, const MatrixView<float>& rows,
          const std::function<std::uint64_t(std::uint64_t first)>& end_of_run,
          const std::function<void(Recording&, const BufferView&, std::uint64_t first, std::uint32_t count)>& record) {
  const std::uint64_t row_bytes = rows.columns * 4;
  const std::uint64_t piece =
      std::max<std::uint64_t>(staging_bytes / row_bytes / passes::tile_rows, 1) * passes::tile_rows;
  const auto staging = device.create_buffer(std::min(piece, rows.rows) * row_bytes, MemoryKind::upload);
  const auto commands = device.create_commands(Timing::none);
  for (std::uint64_t first = 0; first < rows.rows;) {
    throw_if_interrupted();
    const std::uint64_t count = std::min(piece, end_of_run(first) - first);
    std::memcpy(staging->mapped(), rows.data + first * rows.columns, count * row_bytes);
    commands->begin();
    record(*commands, BufferView(*staging, 0, count * row_bytes), first, static_cast<std::uint32_t>(count));
    commands->end();
    device.submit(*commands);
    device.wait();
    first += count;
  }
}

}  // namespace

DeviceRows::DeviceRows(Device& device, MatrixView<float> rows, std::uint32_t copies) : copies_(copies) {
  const auto dimensions = static_cast<std::uint32_t>(rows.columns);
  const std::uint64_t tile_bytes = std::uint64_t{passes::tile_rows} * dimensions * 4;
  const std::uint64_t per_buffer =
      std::max<std::uint64_t>(device.capabilities().max_allocation_bytes / tile_bytes, 1) * passes::tile_rows;
  for (Copy& copy : copies_)
    for (std::uint64_t first = 0; first < rows.rows; first += per_buffer) {
      const std::uint64_t count = std::min(per_buffer, rows.rows - first);
      const std::uint64_t tiles = (count + passes::tile_rows - 1) / passes::tile_rows;
      copy.buffers.push_back(device.create_buffer(tiles * tile_bytes, MemoryKind::device));
      copy.segments.push_back({tiled_rows(copy.buffers.back()->address(), count, dimensions), first});
    }
  pack(device, rows, [&](std::uint64_t first) { return std::min(rows.rows, (first / per_buffer + 1) * per_buffer); },
       [&](Recording& recording, const BufferView& source, std::uint64_t first, std::uint32_t count) {
    for (const Copy& copy : copies_) {
      passes::PackTilesParameters parameters{};
      parameters.rows = copy.segments[first / per_buffer].rows;
      parameters.source = source.address();
      parameters.dimensions = dimensions;
      parameters.first_row = static_cast<std::uint32_t>(first % per_buffer);
      parameters.source_rows = count;
      const Pass pass = passes::make_pack_tiles(parameters);
      device.prepare(pass);
      recording.record(pass);
    }
  });
}

DeviceTexels::DeviceTexels(Device& device, MatrixView<float> rows, std::uint64_t block_rows, std::uint32_t copies) {
  for (std::uint32_t copy = 0; copy < copies; ++copy)
    copies_.push_back(
        std::make_unique<TexelDatabase>(device, rows.rows, static_cast<std::uint32_t>(rows.columns), block_rows));
  pack(device, rows, [&](std::uint64_t first) {
    const std::uint64_t per_block = copies_[0]->rows_per_block();
    return std::min(rows.rows, (first / per_block + 1) * per_block);
  }, [&](Recording& recording, const BufferView& source, std::uint64_t first, std::uint32_t count) {
    for (const auto& copy : copies_) copy->record_pack(recording, source, first, count);
  });
}

std::uint32_t copies_beyond_caches(const Device& device, std::uint64_t bytes) {
  std::uint64_t copies = std::clamp<std::uint64_t>((beyond_caches + bytes - 1) / bytes, 1, 32);
  if (const std::uint64_t memory = device.capabilities().memory_bytes; memory != 0)
    copies = std::clamp<std::uint64_t>(memory / 4 / bytes, 1, copies);
  return static_cast<std::uint32_t>(copies);
}

}  // namespace proxel::tool
