#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "gpu/gpu.hpp"
#include "proxel/components.hpp"
#include "proxel/layout.hpp"
#include "proxel/moving_points.hpp"
#include "proxel/vulkan.hpp"

namespace engine {

using gpu::Gpu;
using gpu::GpuBuffer;

/// How neighbours are found; the answer is the same to the bit.
enum class Method {
  boxes,  ///< a hierarchy of boxes, built anew in every frame, leaves out most points
  scan,   ///< every point is looked at
};

/// How many points there are, and what is asked of them.
struct Shape {
  std::uint32_t points = 100000;
  std::uint32_t dimensions = 3;
  std::uint32_t neighbours = 16;
  std::uint32_t asking = 0;  ///< the first so many points ask; 0: all
  Method method = Method::boxes;
  /// Of edges that join clusters, in spacing(); 0: no clusters are found.
  float reach = 0;
  bool layout = false;  ///< the picture is that of the graph laid out, and follows it from frame to frame

  /// A scan asks for so few that a frame stays short: 2^34 distances.
  std::uint32_t queries() const;
  /// Results of a query: through boxes points are left out of their own neighbours, in a scan they are the nearest.
  std::uint32_t found() const { return method == Method::boxes ? neighbours : neighbours + 1; }
  /// About as far as the last neighbour of evenly spread points.
  float spacing() const;
  /// Whether clusters are found: where all points ask.
  bool clusters() const { return reach > 0 && queries() == points; }
  /// Whether there is a layout: where all points ask.
  bool laid_out() const { return layout && queries() == points; }
  /// Which edges join them.
  proxel::ComponentsOptions joins() const;
  bool operator==(const Shape&) const = default;
};

/// All that the engine has to do with proxel (docs/embedding.md, from its section 3 on): each frame, the nearest
/// neighbours of points that have moved, found between two of its own passes. Enabling what proxel wishes and
/// lending the device, sections 1 and 2, is done by Gpu::create_device() and Gpu::lent() (apps/gpu).
class Neighbors {
 public:
  using Names = std::vector<const char*>;

  /// @param points  binary32 [points x dimensions], the engine's
  Neighbors(Gpu& gpu, const Shape& shape, const GpuBuffer& points);
  ~Neighbors();
  Neighbors(const Neighbors&) = delete;
  Neighbors& operator=(const Neighbors&) = delete;

  /// Whether record_boxes() has to go before the search.
  bool has_boxes() const { return !moving_.empty(); }
  /// Record the building of the boxes, and the search, each to be preceded by the barrier that the uses
  /// in proxel::vulkan::edges ask for. Two passes of the frame, so that it shows the time of each; an engine
  /// that has no use for that records both with MovingPointsPlan::record().
  /// @param within  where timestamps are written behind each of proxel's passes; no pool: nowhere
  /// @return        what these passes are called, where they are timed
  Names record_boxes(VkCommandBuffer commands, const proxel::vulkan::Timestamps& within = {});
  Names record_search(VkCommandBuffer commands, const proxel::vulkan::Timestamps& within = {});
  /// The clusters of what was found, where Shape::clusters() says so.
  Names record_clusters(VkCommandBuffer commands, const proxel::vulkan::Timestamps& within = {});

  /// A step of the layout of what was found, where Shape::laid_out() says so. @param frame  its number
  Names record_layout(VkCommandBuffer commands, std::uint64_t frame, const proxel::vulkan::Timestamps& within = {});

  const Shape& shape() const { return shape_; }
  const GpuBuffer& indices() const { return indices_; }      ///< 32-bit [queries x found]
  const GpuBuffer& distances() const { return distances_; }  ///< binary32, squared
  /// 32-bit [points], the smallest point of each point's cluster, and behind them how many clusters there are. None
  /// without clusters.
  const GpuBuffer& clusters() const { return clusters_; }
  /// binary32 [points x layout_dimensions], where a frame's step has moved the points; the next one's step reads it.
  const GpuBuffer& positions(std::uint64_t frame) const { return positions_[(frame + 1) % 2]; }

  static constexpr std::uint32_t layout_dimensions = 3;
  /// How far forces move a point in a frame: it keeps up with points that move.
  static constexpr float layout_rate = 0.05f;

 private:
  Names record(VkCommandBuffer commands, const proxel::vulkan::Timestamps& within,
               const std::function<void(proxel::Recording&)>& what);

  void prepare_layout(const GpuBuffer& engine_points);
  proxel::MovingPointsBuffers buffers() const;
  void write_search(proxel::Recording& recording) const;

  Gpu& gpu_;
  Shape shape_;
  GpuBuffer indices_, distances_, scratch_, clusters_, positions_[2];
  std::unique_ptr<proxel::Buffer> points_view_, indices_view_, distances_view_, scratch_view_, clusters_view_,
      positions_views_[2];
  // One of the two, by the method.
  proxel::MovingPointsPlan moving_;
  proxel::ScanPlan scan_;
  proxel::ComponentsPlan joining_;
  proxel::LayoutPlan laying_out_;
};

}  // namespace engine
