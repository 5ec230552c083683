#include "neighbors.hpp"

#include <algorithm>

namespace engine {

Neighbors::Neighbors(Gpu& gpu, const Shape& shape, const GpuBuffer& points)
    : shape_(shape), device_(proxel::vulkan::wrap_device(gpu.handles)) {
  proxel::SearchDescription description;
  description.metric = proxel::Metric::l2sq;
  description.rows = shape.points;
  description.dimensions = shape.dimensions;
  description.queries = shape.queries;
  description.k = shape.found;

  const auto wrap = [&](const GpuBuffer& buffer) {
    return proxel::vulkan::wrap_buffer(*device_, buffer.handle, buffer.bytes);
  };
  points_view_ = wrap(points);
  rows_ = proxel::row_major_rows(points_view_->address(), shape.points, shape.dimensions);
  boxes_ = std::make_unique<proxel::BoxHierarchy>(*device_, shape.points, shape.dimensions);
  plan_ = std::make_unique<proxel::BvhPlan>(proxel::BvhPlan::make(*device_, description, *boxes_, rows_));

  const std::uint64_t slots = std::uint64_t{shape.queries} * shape.found;
  indices_ = gpu.create_buffer(slots * 4, false);
  distances_ = gpu.create_buffer(slots * 4, false);
  scratch_ = gpu.create_buffer(std::max(boxes_->scratch_bytes(), plan_->scratch_bytes()), false);
  indices_view_ = wrap(indices_);
  distances_view_ = wrap(distances_);
  scratch_view_ = wrap(scratch_);
}

proxel::Recording& Neighbors::into(VkCommandBuffer commands) {
  for (const auto& [known, recording] : recordings_)
    if (known == commands) return *recording;
  return *recordings_.emplace_back(commands, proxel::vulkan::record_into(*device_, commands)).second;
}

void Neighbors::record_boxes(VkCommandBuffer commands) {
  boxes_->record(into(commands), rows_, *scratch_view_);
}

void Neighbors::record_search(VkCommandBuffer commands) {
  plan_->record(into(commands), rows_, {*points_view_, *scratch_view_, *indices_view_, *distances_view_});
}

}  // namespace engine
