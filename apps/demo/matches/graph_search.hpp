#pragma once

#include <array>
#include <memory>
#include <optional>

#include "gpu/frame_queries.hpp"
#include "matches/cloud.hpp"
#include "proxel/components.hpp"
#include "proxel/layout.hpp"
#include "proxel/moving_points.hpp"
#include "proxel/neighbors.hpp"

namespace demo {

/// The nearest neighbours of moving points, each frame's found inside that frame: recorded into
/// the window's command buffer, on the window's device, over buffers of the window's.
class GraphSearch {
 public:
  /// @param device  the window's, lent to proxel
  /// @param found   neighbours of each point, the point itself among them
  GraphSearch(gpu::Gpu& gpu, proxel::Device& device, std::uint32_t points, std::uint32_t dimensions,
              std::uint32_t found);
  /// No submitted work may use it any more.
  ~GraphSearch();
  GraphSearch(const GraphSearch&) = delete;
  GraphSearch& operator=(const GraphSearch&) = delete;

  /// From the next recording on, what hangs together is found as well: points with a way from one to the other along
  /// edges whose squared length is at most `limit`. None: not any more. Nothing that was recorded may be executing.
  void find_clusters(std::optional<float> limit);

  /// From the next recording on, every frame moves a layout of the graph by a step, from where the points lie. Null: not
  /// any more. Nothing that was recorded may be executing.
  void lay_out(const Cloud* cloud);

  /// Brings the points to the device and finds their neighbours, for vertex shaders behind it.
  void record(VkCommandBuffer commands, const Cloud& cloud);

  /// A frame as it was: its points, and what was found for them.
  struct Frame {
    proxel::Matrix<float> points;
    proxel::Neighbors found;
  };
  /// The next frame that is recorded is kept, and comes out of taken() once it has been executed.
  void keep_next() { keeps_ = true; }
  std::optional<Frame> taken();

  std::uint32_t points() const { return points_; }
  std::uint32_t dimensions() const { return dimensions_; }
  std::uint32_t found() const { return found_; }
  /// About as far as the last neighbour of evenly spread points is.
  float spacing() const;
  /// Where points are drawn: as they lie, or as the layout does.
  VkDeviceAddress points_address() const { return layout_ ? positions_[steps_ % 2].address : rows_buffer_.address; }
  bool is_laid_out() const { return layout_.has_value(); }
  VkDeviceAddress indices_address() const { return indices_.address; }
  VkDeviceAddress distances_address() const { return distances_.address; }
  /// Where each point's cluster stands, the smallest of its points, as a place behind the indices, elements. 0: clusters
  /// are not found.
  std::uint32_t clusters_place() const { return clusters_ ? points_ * found_ : 0; }
  /// How many there were in the latest frame that is known to be over; none is before some frames have been recorded.
  const std::optional<std::uint32_t>& clusters() const { return cluster_count_; }
  /// Device time of the search in the latest frame that is known to be over, once.
  std::optional<double> milliseconds();

 private:
  void finished(std::uint32_t slot);
  void record_layout(proxel::Recording& recording, VkCommandBuffer commands, const proxel::BufferView& found);

  gpu::Gpu& gpu_;
  proxel::Device& device_;
  std::uint32_t points_, dimensions_, found_;
  gpu::GpuBuffer rows_buffer_, distances_, kept_, counts_;
  gpu::GpuBuffer indices_;  // behind them the points' clusters, and how many there are
  std::array<gpu::GpuBuffer, gpu::frames_in_flight> staging_;
  std::unique_ptr<proxel::Buffer> rows_view_, indices_view_, distances_view_;
  proxel::MovingPointsPlan plan_;
  std::optional<proxel::ComponentsPlan> clusters_;
  std::optional<std::uint32_t> cluster_count_;
  std::optional<proxel::LayoutPlan> layout_;
  std::array<gpu::GpuBuffer, 2> positions_;  // of the layout, which take turns
  std::array<std::unique_ptr<proxel::Buffer>, 2> position_views_;
  std::uint32_t steps_ = 0;
  std::array<bool, gpu::frames_in_flight> counted_{};  // the slots whose frames found clusters

  gpu::FrameQueries times_;  // of a frame: before the search and behind it
  std::uint64_t frames_ = 0;
  std::optional<double> milliseconds_;
  bool keeps_ = false;
  std::optional<std::uint32_t> keeping_;  // the slot whose frame is kept
  proxel::Matrix<float> kept_points_;
  std::optional<Frame> taken_;
};

}  // namespace demo
