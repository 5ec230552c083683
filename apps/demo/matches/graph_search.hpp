#pragma once

#include <array>
#include <memory>
#include <optional>

#include "gpu/frames.hpp"
#include "matches/cloud.hpp"
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
  VkDeviceAddress points_address() const { return rows_buffer_.address; }
  VkDeviceAddress indices_address() const { return indices_.address; }
  VkDeviceAddress distances_address() const { return distances_.address; }
  /// Device time of the search in the latest frame that is known to be over, once.
  std::optional<double> milliseconds();

 private:
  void finished(std::uint32_t slot);

  gpu::Gpu& gpu_;
  proxel::Device& device_;
  std::uint32_t points_, dimensions_, found_;
  gpu::GpuBuffer rows_buffer_, indices_, distances_, kept_;
  std::array<gpu::GpuBuffer, gpu::frames_in_flight> staging_;
  std::unique_ptr<proxel::Buffer> rows_view_, indices_view_, distances_view_;
  proxel::MovingPointsPlan plan_;

  VkQueryPool times_ = VK_NULL_HANDLE;
  std::uint64_t frames_ = 0;
  std::optional<double> milliseconds_;
  bool keeps_ = false;
  std::optional<std::uint32_t> keeping_;  // the slot whose frame is kept
  proxel::Matrix<float> kept_points_;
  std::optional<Frame> taken_;
};

}  // namespace demo
