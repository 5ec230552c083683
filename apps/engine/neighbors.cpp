#include "neighbors.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "gpu/screenshot.hpp"

namespace engine {

std::uint32_t Shape::queries() const {
  const std::uint64_t most = method == Method::scan ? (std::uint64_t{1} << 34) / points : points;
  return static_cast<std::uint32_t>(std::min<std::uint64_t>({asking == 0 ? points : asking, points, most}));
}

float Shape::spacing() const {
  return 2 *
         std::pow(static_cast<float>(neighbours + 1) / static_cast<float>(points), 1 / static_cast<float>(dimensions));
}

proxel::ComponentsOptions Shape::joins() const {
  const float length = reach * spacing();
  return {length * length, proxel::Metric::l2sq, false};
}

Neighbors::Neighbors(Gpu& gpu, const Shape& shape, const GpuBuffer& points) : gpu_(gpu), shape_(shape) {
  proxel::Device& device = gpu.lent();
  proxel::SearchDescription description;
  description.metric = proxel::Metric::l2sq;
  description.rows = shape.points;
  description.dimensions = shape.dimensions;
  description.queries = shape.queries();
  description.k = shape.found();

  const auto wrap = [&](const GpuBuffer& buffer) {
    return proxel::vulkan::wrap_buffer(device, buffer.handle, buffer.bytes);
  };
  points_view_ = wrap(points);
  std::uint64_t scratch_bytes = 0;
  if (shape.method == Method::boxes) {
    // The engine brings the scratch memory, which its frame graph knows.
    moving_ = proxel::MovingPointsPlan::make(device, description, {.own_scratch = false, .exclude_self = true});
    scratch_bytes = moving_.scratch_bytes();
  } else {
    const proxel::RowsSegment all{proxel::row_major_rows(0, shape.points, shape.dimensions), 0};
    scan_ = proxel::ScanPlan::make(device, description, {&all, 1});
    scratch_bytes = scan_.scratch_bytes();
  }

  const std::uint64_t slots = std::uint64_t{shape.queries()} * shape.found();
  indices_ = gpu.create_buffer(slots * 4, false);
  distances_ = gpu.create_buffer(slots * 4, false);
  scratch_ = gpu.create_buffer(scratch_bytes, false);
  indices_view_ = wrap(indices_);
  distances_view_ = wrap(distances_);
  scratch_view_ = wrap(scratch_);
  if (shape.laid_out()) prepare_layout(points);
  if (!shape.clusters()) return;
  joining_ = proxel::ComponentsPlan::make(device, {shape.points, shape.found(), shape.joins()});
  clusters_ = gpu.create_buffer((std::uint64_t{shape.points} + 1) * 4, false);
  clusters_view_ = wrap(clusters_);
}

// Both buffers of positions take turns from frame to frame; the first step reads the first.
void Neighbors::prepare_layout(const GpuBuffer& engine_points) {
  proxel::LayoutDescription description;
  description.rows = shape_.points;
  description.neighbors = shape_.found();
  description.dimensions = layout_dimensions;
  laying_out_ = proxel::LayoutPlan::make(gpu_.lent(), description);
  // It begins where the points lie, and is about so much wider.
  constexpr float wider = 5;
  const auto points = gpu::read_back(gpu_, engine_points);
  const proxel::Matrix<float> first = proxel::first_positions(
      {reinterpret_cast<const float*>(points.data()), shape_.points, shape_.dimensions}, layout_dimensions, wider);
  const std::uint64_t bytes = std::uint64_t{shape_.points} * layout_dimensions * 4;
  const GpuBuffer staging = gpu_.create_buffer(bytes, true);
  std::memcpy(staging.mapped, first.data(), bytes);
  const VkCommandBuffer commands = gpu_.begin();
  for (int i = 0; i < 2; ++i) {
    positions_[i] = gpu_.create_buffer(bytes, false);
    positions_views_[i] = proxel::vulkan::wrap_buffer(gpu_.lent(), positions_[i].handle, positions_[i].bytes);
    const VkBufferCopy all{0, 0, bytes};
    vkCmdCopyBuffer(commands, staging.handle, positions_[i].handle, 1, &all);
  }
  gpu::barrier(commands);
  gpu_.finish(commands);
  gpu_.destroy(staging);
}

Neighbors::~Neighbors() {
  for (const GpuBuffer& buffer : {indices_, distances_, scratch_, clusters_, positions_[0], positions_[1]})
    gpu_.destroy(buffer);
}

proxel::MovingPointsBuffers Neighbors::buffers() const {
  return {*points_view_, *indices_view_, *distances_view_, *scratch_view_};
}

Neighbors::Names Neighbors::record(VkCommandBuffer commands, const proxel::vulkan::Timestamps& within,
                                   const std::function<void(proxel::Recording&)>& what) {
  if (!within.pool) {
    proxel::vulkan::CommandBufferRecording recording(gpu_.lent(), commands);
    what(recording);
    return {};
  }
  const auto timed = proxel::vulkan::record_into(gpu_.lent(), commands, within);
  what(*timed);
  return timed->timed();
}

Neighbors::Names Neighbors::record_boxes(VkCommandBuffer commands, const proxel::vulkan::Timestamps& within) {
  return record(commands, within, [this](proxel::Recording& recording) { moving_.record_boxes(recording, buffers()); });
}

void Neighbors::write_search(proxel::Recording& recording) const {
  if (has_boxes()) return moving_.record_search(recording, buffers());
  const proxel::RowsSegment all{proxel::row_major_rows(points_view_->address(), shape_.points, shape_.dimensions), 0};
  scan_.record(recording, {&all, 1}, {*points_view_, *scratch_view_, *indices_view_, *distances_view_});
}

Neighbors::Names Neighbors::record_search(VkCommandBuffer commands, const proxel::vulkan::Timestamps& within) {
  return record(commands, within, [this](proxel::Recording& recording) { write_search(recording); });
}

Neighbors::Names Neighbors::record_layout(VkCommandBuffer commands, std::uint64_t frame,
                                          const proxel::vulkan::Timestamps& within) {
  return record(commands, within, [&](proxel::Recording& recording) {
    laying_out_.record(recording, {*indices_view_, *positions_views_[frame % 2], *positions_views_[(frame + 1) % 2]},
                       static_cast<std::uint32_t>(frame), layout_rate);
  });
}

Neighbors::Names Neighbors::record_clusters(VkCommandBuffer commands, const proxel::vulkan::Timestamps& within) {
  const proxel::BufferView all(*clusters_view_);
  const std::uint64_t rows = std::uint64_t{shape_.points} * 4;
  return record(commands, within, [&](proxel::Recording& recording) {
    joining_.record(recording, {*indices_view_, *distances_view_, all.part(0, rows), all.part(rows, 4)});
  });
}

}  // namespace engine
