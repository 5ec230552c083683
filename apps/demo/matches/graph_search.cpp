#include "matches/graph_search.hpp"

#include <cmath>
#include <cstring>
#include <utility>

namespace demo {
namespace {

namespace edges = proxel::vulkan::edges;
using proxel::vulkan::Edge;

constexpr Edge copied{VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT};
constexpr Edge drawn{VK_PIPELINE_STAGE_VERTEX_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT};
constexpr Edge copies{VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_READ_BIT};
constexpr Edge host{VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT};

constexpr Edge both(Edge a, Edge b) { return {a.stages | b.stages, a.access | b.access}; }

void barrier(VkCommandBuffer commands, Edge from, Edge to) {
  const VkMemoryBarrier memory{VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr, from.access, to.access};
  vkCmdPipelineBarrier(commands, from.stages, to.stages, 0, 1, &memory, 0, nullptr, 0, nullptr);
}

}  // namespace

GraphSearch::GraphSearch(gpu::Gpu& gpu, proxel::Device& device, std::uint32_t points, std::uint32_t dimensions,
                         std::uint32_t found)
    : gpu_(gpu), device_(device), points_(points), dimensions_(dimensions), found_(found), times_(gpu, 2) {
  proxel::SearchDescription description;
  description.metric = proxel::Metric::l2sq;
  description.rows = description.queries = points;
  description.dimensions = dimensions;
  description.k = found;

  const auto wrap = [&](const gpu::GpuBuffer& buffer) {
    return proxel::vulkan::wrap_buffer(device, buffer.handle, buffer.bytes);
  };
  const std::uint64_t row_bytes = std::uint64_t{points} * dimensions * 4,
                      slot_bytes = std::uint64_t{points} * found * 4;
  rows_buffer_ = gpu.create_buffer(row_bytes, false);
  rows_view_ = wrap(rows_buffer_);
  plan_ = proxel::MovingPointsPlan::make(device, description);

  indices_ = gpu.create_buffer(slot_bytes + (std::uint64_t{points} + 1) * 4, false);
  distances_ = gpu.create_buffer(slot_bytes, false);
  kept_ = gpu.create_buffer(2 * slot_bytes, true);
  counts_ = gpu.create_buffer(gpu::frames_in_flight * 4, true);
  for (gpu::GpuBuffer& staging : staging_) staging = gpu.create_buffer(row_bytes, true);
  indices_view_ = wrap(indices_);
  distances_view_ = wrap(distances_);
}

GraphSearch::~GraphSearch() {
  lay_out(nullptr);
  for (const gpu::GpuBuffer& buffer : {rows_buffer_, indices_, distances_, kept_, counts_}) gpu_.destroy(buffer);
  for (const gpu::GpuBuffer& staging : staging_) gpu_.destroy(staging);
}

// The frame that had this slot before has been executed: no more than so many are in flight.
void GraphSearch::finished(std::uint32_t slot) {
  if (frames_ < gpu::frames_in_flight) return;
  std::array<std::uint64_t, 2> ticks{};
  if (vkGetQueryPoolResults(gpu_.device, times_.pool(slot), 0, 2, sizeof ticks, ticks.data(), 8,
                            VK_QUERY_RESULT_64_BIT) == VK_SUCCESS)
    milliseconds_ =
        static_cast<double>(ticks[1] - ticks[0]) * static_cast<double>(gpu_.properties.limits.timestampPeriod) * 1e-6;
  if (counted_[slot]) cluster_count_ = static_cast<const std::uint32_t*>(counts_.mapped)[slot];
  if (keeping_ != slot) return;
  keeping_.reset();
  Frame frame{std::move(kept_points_), {{points_, found_}, {points_, found_}}};
  std::memcpy(frame.found.indices.data(), kept_.mapped, distances_.bytes);
  std::memcpy(frame.found.distances.data(), static_cast<const std::byte*>(kept_.mapped) + distances_.bytes,
              distances_.bytes);
  taken_ = std::move(frame);
}

std::optional<GraphSearch::Frame> GraphSearch::taken() { return std::exchange(taken_, std::nullopt); }

std::optional<double> GraphSearch::milliseconds() { return std::exchange(milliseconds_, std::nullopt); }

float GraphSearch::spacing() const {
  return 2 * std::pow(static_cast<float>(found_) / static_cast<float>(points_), 1 / static_cast<float>(dimensions_));
}

void GraphSearch::find_clusters(std::optional<float> limit) {
  clusters_.reset();
  cluster_count_.reset();
  counted_ = {};
  if (!limit) return;
  clusters_ = proxel::ComponentsPlan::make(device_, {points_, found_, {limit, proxel::Metric::l2sq, false}});
}

void GraphSearch::lay_out(const Cloud* cloud) {
  layout_.reset();
  for (auto& view : position_views_) view.reset();
  for (gpu::GpuBuffer& buffer : positions_) {
    gpu_.destroy(buffer);
    buffer = {};
  }
  if (!cloud) return;
  layout_ = proxel::LayoutPlan::make(device_, {points_, found_, dimensions_});
  steps_ = 0;
  // A layout is about so much wider.
  constexpr float wider = 10;
  const proxel::Matrix<float> first = proxel::first_positions(cloud->places().view(), dimensions_, wider);
  const gpu::GpuBuffer staging = gpu_.create_buffer(rows_buffer_.bytes, true);
  std::memcpy(staging.mapped, first.data(), rows_buffer_.bytes);
  const VkCommandBuffer commands = gpu_.begin();
  for (int i = 0; i < 2; ++i) {
    positions_[i] = gpu_.create_buffer(rows_buffer_.bytes, false);
    position_views_[i] = proxel::vulkan::wrap_buffer(device_, positions_[i].handle, positions_[i].bytes);
    const VkBufferCopy all{0, 0, rows_buffer_.bytes};
    vkCmdCopyBuffer(commands, staging.handle, positions_[i].handle, 1, &all);
  }
  barrier(commands, copied, both(edges::inputs, drawn));
  gpu_.finish(commands);
  gpu_.destroy(staging);
}

void GraphSearch::record_layout(proxel::Recording& recording, VkCommandBuffer commands,
                                const proxel::BufferView& found) {
  // How far forces move a point in a frame: it keeps up with points that move.
  constexpr float rate = 0.05f;
  barrier(commands, edges::results, edges::inputs);
  layout_->record(recording, {found, *position_views_[steps_ % 2], *position_views_[(steps_ + 1) % 2]}, steps_, rate);
  ++steps_;
}

void GraphSearch::record(VkCommandBuffer commands, const Cloud& cloud) {
  const auto slot = static_cast<std::uint32_t>(frames_ % gpu::frames_in_flight);
  finished(slot);
  ++frames_;
  std::memcpy(staging_[slot].mapped, cloud.places().data(), rows_buffer_.bytes);

  // The frame before has drawn, and kept, what is now written anew.
  barrier(commands, both(edges::written, drawn), both(edges::written, copied));
  const VkBufferCopy all_rows{0, 0, rows_buffer_.bytes};
  vkCmdCopyBuffer(commands, staging_[slot].handle, rows_buffer_.handle, 1, &all_rows);
  barrier(commands, copied, both(edges::inputs, drawn));

  times_.begin(slot);
  vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, times_.pool(slot), 0);
  proxel::vulkan::CommandBufferRecording recording(device_, commands);
  const proxel::BufferView whole(*indices_view_);
  const proxel::BufferView found = whole.part(0, distances_.bytes);
  plan_.record(recording, {*rows_view_, found, *distances_view_});
  vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, times_.pool(slot), 1);
  counted_[slot] = clusters_.has_value();
  if (clusters_) {
    barrier(commands, edges::results, edges::inputs);
    const std::uint64_t behind = distances_.bytes, count = behind + std::uint64_t{points_} * 4;
    clusters_->record(recording, {found, *distances_view_, whole.part(behind, count - behind), whole.part(count, 4)});
    barrier(commands, edges::results, copies);
    const VkBufferCopy counted{count, slot * 4, 4};
    vkCmdCopyBuffer(commands, indices_.handle, counts_.handle, 1, &counted);
    barrier(commands, copied, host);
  }
  if (layout_) record_layout(recording, commands, found);
  barrier(commands, edges::results, both(drawn, copies));

  if (!keeps_ || keeping_) return;
  keeps_ = false;
  keeping_ = slot;
  kept_points_ = cloud.places();
  const VkBufferCopy indices{0, 0, distances_.bytes}, distances{0, distances_.bytes, distances_.bytes};
  vkCmdCopyBuffer(commands, indices_.handle, kept_.handle, 1, &indices);
  vkCmdCopyBuffer(commands, distances_.handle, kept_.handle, 1, &distances);
  barrier(commands, copied, host);
}

}  // namespace demo
