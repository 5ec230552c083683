#include "permutation/stored_vectors.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "session/run_once.hpp"
#include "index/upload.hpp"
#include "passes/permutation_positions.hpp"
#include "permutation/permutants.hpp"
#include "proxel/passes/permutations.h"
#include "proxel/passes/tile_distance.h"
#include "search/check.hpp"
#include "search/occupancy.hpp"

namespace proxel::permutation {

using passes::tile_rows;
using search::divide_up;

StoredVectors::StoredVectors(Device& device, const MatrixView<float>& rows, Metric metric, const Progress& progress)
    : metric_(metric), rows_(rows.rows), dimensions_(static_cast<std::uint32_t>(rows.columns)) {
  const std::uint64_t row_bytes = std::uint64_t{dimensions_} * 4;
  const std::uint64_t most_bytes = device.capabilities().max_allocation_bytes;
  buffer_rows_ = most_bytes / row_bytes / tile_rows * tile_rows;
  if (buffer_rows_ == 0)
    throw Error(ErrorCode::unsupported, device.info().id,
                fmt::format("128 rows take {} bytes, its largest buffer {}", row_bytes * tile_rows, most_bytes));
  for (std::uint64_t first = 0; first < rows_; first += buffer_rows_) {
    const std::uint64_t count = std::min(buffer_rows_, rows_ - first);
    buffers_.push_back(device.create_buffer(count * row_bytes, MemoryKind::device));
    segments_.push_back({row_major_rows(buffers_.back()->address(), count, dimensions_), first});
  }
  index::upload_rows(device, rows, *this, progress);
  if (!normalizes(metric)) return;
  session::run_once(device, [&](Recording& recording) {
    for (const RowsSegment& segment : segments_)
      record_normalize(recording, metric, segment.rows, segment.rows, dimensions_);
  });
}

BufferView StoredVectors::part(std::uint64_t first, std::uint64_t count) const {
  const std::uint64_t row_bytes = std::uint64_t{dimensions_} * 4;
  return {*buffers_[first / buffer_rows_], first % buffer_rows_ * row_bytes, count * row_bytes};
}

void StoredVectors::record_copy(Recording& recording, std::uint32_t row, const BufferView& to) const {
  recording.copy(part(row, 1), to);
}

std::uint64_t StoredVectors::pack_end(std::uint64_t first) const {
  return std::min((first / buffer_rows_ + 1) * buffer_rows_, rows_);
}

void StoredVectors::record_pack(Recording& recording, const BufferView& source, std::uint64_t first,
                                std::uint32_t count) const {
  recording.copy(source, part(first, count));
}

namespace {

// The order of the permutants for every vector, some vectors at a time.
std::unique_ptr<Buffer> make_positions(Device& device, const StoredVectors& vectors, const Buffer& permutants,
                                       std::uint32_t count, std::uint32_t kept, std::uint64_t scratch_limit,
                                       const Progress& progress) {
  auto positions = device.create_buffer(passes::permutation_bytes(vectors.rows(), count), MemoryKind::device);
  const std::uint64_t tiles = divide_up<std::uint64_t>(vectors.segments().front().rows.count, tile_rows);
  const std::uint64_t fitting = scratch_limit / 2 / (std::uint64_t{count} * tile_rows * 4);
  const auto chunk = static_cast<std::uint32_t>(
      std::clamp<std::uint64_t>(fitting, 1, std::min(tiles, search::most_chunk_tiles)) * tile_rows);
  const auto keys = device.create_buffer(std::uint64_t{count} * chunk * 4, MemoryKind::device);
  // Places past the last object are read as well; what stands there does not count.
  session::run_once(device, [&](Recording& recording) { recording.fill(*positions, 0); });

  const auto record_chunk = [&](Recording& recording, const RowsSegment& segment, std::uint32_t first) {
    passes::TileDistanceParameters distance{};
    distance.rows = segment.rows;
    distance.queries = permutants.address();
    distance.keys = keys->address();
    distance.dimensions = vectors.dimensions();
    distance.query_count = count;
    distance.first_row = first;
    distance.row_count = std::min(chunk, segment.rows.count - first);
    distance.keys_stride = chunk;
    distance.query_stride = vectors.dimensions();
    recording.record(passes::make_tile_distance(distance, vectors.metric(), 8));
    recording.barrier();
    passes::PermutationsParameters order{};
    order.distances = keys->address();
    order.positions = positions->address();
    order.objects = distance.row_count;
    order.permutants = count;
    order.object_stride = 1;
    order.permutant_stride = chunk;
    order.first_object = static_cast<std::uint32_t>(segment.first_index + first);
    order.kept = kept;
    recording.record(passes::make_permutations(order));
  };
  for (const RowsSegment& segment : vectors.segments())
    for (std::uint64_t first = 0; first < segment.rows.count; first += chunk) {
      session::run_once(
          device, [&](Recording& recording) { record_chunk(recording, segment, static_cast<std::uint32_t>(first)); });
      if (progress)
        progress(segment.first_index + std::min<std::uint64_t>(first + chunk, segment.rows.count), vectors.rows());
    }
  return positions;
}

// Tells of the upload (0) or of the permutations (1): half of the work each.
Progress half_of(const Progress& progress, std::uint64_t half) {
  if (!progress) return {};
  return [&progress, half](std::uint64_t done, std::uint64_t total) { progress(half * total + done, 2 * total); };
}

}  // namespace

StoredVectorPermutations::StoredVectorPermutations(Device& device, const MatrixView<float>& rows, Metric metric,
                                                   const std::vector<std::uint32_t>& chosen,
                                                   const PermutationOptions& options, const Progress& progress)
    : vectors(device, rows, metric, half_of(progress, 0)) {
  const std::uint64_t row_bytes = std::uint64_t{vectors.dimensions()} * 4;
  permutants = device.create_buffer(chosen.size() * row_bytes, MemoryKind::device);
  session::run_once(device, [&](Recording& recording) {
    for (std::size_t i = 0; i < chosen.size(); ++i)
      vectors.record_copy(recording, chosen[i], BufferView(*permutants, i * row_bytes, row_bytes));
  });
  permutations.objects = vectors.rows();
  permutations.permutants = static_cast<std::uint32_t>(chosen.size());
  permutations.kept = kept_permutants(options, permutations.permutants);
  permutations.distance = options.distance;
  permutations.positions = make_positions(device, vectors, *permutants, permutations.permutants, permutations.kept,
                                          options.scratch_limit, half_of(progress, 1));
}

}  // namespace proxel::permutation
