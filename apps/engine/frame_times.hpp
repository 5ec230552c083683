#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "gpu/frame_queries.hpp"
#include "proxel/vulkan.hpp"

namespace engine {

using gpu::Gpu;

/// How long the device took for a pass, and for what it is made of.
struct PassTime {
  struct Part {
    const char* name;
    double milliseconds;
  };
  double milliseconds = 0;
  std::vector<Part> within;  ///< in the order of execution, where that was timed
};

/// Timestamps behind the passes of the frames that are in flight.
class FrameTimes {
 public:
  /// What was recorded within a pass, as proxel::vulkan::TimedRecording::timed() names it.
  using Names = std::vector<const char*>;

  FrameTimes(Gpu& gpu, std::size_t passes);

  void begin(VkCommandBuffer commands, std::uint32_t slot);
  /// Where proxel may write timestamps of its own while it records a pass.
  proxel::vulkan::Timestamps within(std::uint32_t slot, std::size_t pass) const;
  void end_pass(VkCommandBuffer commands, std::uint32_t slot, std::size_t pass, const Names& within);
  /// The times of a frame that is over.
  std::vector<PassTime> read(std::uint32_t slot) const;

 private:
  static constexpr std::uint32_t most_within = 256;  // queries of one pass

  std::uint32_t first_within(std::size_t pass) const;
  std::vector<double> milliseconds(std::uint32_t slot, std::uint32_t first, std::uint32_t count) const;

  Gpu& gpu_;
  std::uint32_t passes_;
  gpu::FrameQueries queries_;  // of a frame: its begin, the end of each pass, and what is within each
  std::array<std::vector<Names>, gpu::frames_in_flight> names_;  // of what is within each pass
};

}  // namespace engine
