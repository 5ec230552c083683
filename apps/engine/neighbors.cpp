#include "neighbors.hpp"

#include <algorithm>

namespace engine {

std::uint32_t Shape::queries() const {
  const std::uint64_t most = method == Method::scan ? (std::uint64_t{1} << 34) / points : points;
  return static_cast<std::uint32_t>(std::min<std::uint64_t>({asking == 0 ? points : asking, points, most}));
}

Neighbors::Neighbors(Gpu& gpu, const Shape& shape, const GpuBuffer& points) : gpu_(gpu), shape_(shape) {
  proxel::Device& device = gpu.lent();
  proxel::SearchDescription description;
  description.metric = proxel::Metric::l2sq;
  description.rows = shape.points;
  description.dimensions = shape.dimensions;
  description.queries = shape.queries();
  description.k = shape.found();

  const auto wrap = [&](const GpuBuffer& buffer) { return proxel::vulkan::wrap_buffer(device, buffer.handle, buffer.bytes); };
  points_view_ = wrap(points);
  rows_ = proxel::row_major_rows(points_view_->address(), shape.points, shape.dimensions);
  std::uint64_t scratch_bytes = 0;
  if (shape.method == Method::boxes) {
    boxes_ = std::make_unique<proxel::BoxHierarchy>(device, shape.points, shape.dimensions);
    const auto plan = std::make_shared<proxel::BvhPlan>(proxel::BvhPlan::make(device, description, *boxes_, rows_));
    scratch_bytes = std::max(boxes_->scratch_bytes(), plan->scratch_bytes());
    search_ = [this, plan](proxel::Recording& recording) { plan->record(recording, rows_, buffers()); };
  } else {
    const proxel::RowsSegment all{rows_, 0};
    const auto plan = std::make_shared<proxel::ScanPlan>(proxel::ScanPlan::make(device, description, {&all, 1}));
    scratch_bytes = plan->scratch_bytes();
    search_ = [this, all, plan](proxel::Recording& recording) { plan->record(recording, {&all, 1}, buffers()); };
  }

  const std::uint64_t slots = std::uint64_t{shape.queries()} * shape.found();
  indices_ = gpu.create_buffer(slots * 4, false);
  distances_ = gpu.create_buffer(slots * 4, false);
  scratch_ = gpu.create_buffer(scratch_bytes, false);
  indices_view_ = wrap(indices_);
  distances_view_ = wrap(distances_);
  scratch_view_ = wrap(scratch_);
}

Neighbors::~Neighbors() {
  for (const GpuBuffer& buffer : {indices_, distances_, scratch_}) gpu_.destroy(buffer);
}

proxel::Recording& Neighbors::into(VkCommandBuffer commands) {
  for (const auto& [known, recording] : recordings_)
    if (known == commands) return *recording;
  return *recordings_.emplace_back(commands, proxel::vulkan::record_into(gpu_.lent(), commands)).second;
}

proxel::SearchBuffers Neighbors::buffers() const {
  return {*points_view_, *scratch_view_, *indices_view_, *distances_view_};
}

Neighbors::Names Neighbors::record(VkCommandBuffer commands, const proxel::vulkan::Timestamps& within,
                                   const std::function<void(proxel::Recording&)>& what) {
  if (!within.pool) {
    what(into(commands));
    return {};
  }
  const auto timed = proxel::vulkan::record_into(gpu_.lent(), commands, within);
  what(*timed);
  return timed->timed();
}

Neighbors::Names Neighbors::record_boxes(VkCommandBuffer commands, const proxel::vulkan::Timestamps& within) {
  return record(commands, within, [this](proxel::Recording& recording) { boxes_->record(recording, rows_, *scratch_view_); });
}

Neighbors::Names Neighbors::record_search(VkCommandBuffer commands, const proxel::vulkan::Timestamps& within) {
  return record(commands, within, search_);
}

}  // namespace engine
