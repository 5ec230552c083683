#pragma once

#include <memory>

#include "gpu/gpu.hpp"
#include "proxel/bvh.hpp"

namespace engine {

using gpu::Gpu;
using gpu::GpuBuffer;

/// All that the engine has to do with proxel: each frame, the nearest neighbours of
/// points that have moved, found between two of its own passes.
class Neighbors {
 public:
  struct Shape {
    std::uint32_t points = 0;
    std::uint32_t dimensions = 0;
    std::uint32_t queries = 0;  ///< the first so many points ask
    std::uint32_t found = 0;    ///< per query, the point itself among them
  };

  /// @param points  binary32 [points x dimensions], the engine's
  Neighbors(Gpu& gpu, const Shape& shape, const GpuBuffer& points);

  /// Records the building of the boxes, and then the search, each to be preceded by the
  /// barrier that the uses in proxel::vulkan::edges ask for.
  void record_boxes(VkCommandBuffer commands);
  void record_search(VkCommandBuffer commands);

  const Shape& shape() const { return shape_; }
  const GpuBuffer& indices() const { return indices_; }      ///< 32-bit [queries x found]
  const GpuBuffer& distances() const { return distances_; }  ///< binary32, squared

 private:
  proxel::Recording& into(VkCommandBuffer commands);

  Shape shape_;
  GpuBuffer indices_, distances_, scratch_;
  std::unique_ptr<proxel::Device> device_;
  std::unique_ptr<proxel::Buffer> points_view_, indices_view_, distances_view_, scratch_view_;
  proxel::passes::Rows rows_{};
  std::unique_ptr<proxel::BoxHierarchy> boxes_;
  std::unique_ptr<proxel::BvhPlan> plan_;
  // One for each command buffer that there is.
  std::vector<std::pair<VkCommandBuffer, std::unique_ptr<proxel::Recording>>> recordings_;
};

}  // namespace engine
