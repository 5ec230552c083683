#pragma once

#include <memory>

#include "frame_graph.hpp"
#include "interface.hpp"
#include "neighbors.hpp"
#include "scene.hpp"

namespace engine {

/// What changes from frame to frame.
struct Now {
  std::uint32_t slot = 0;  ///< of the frames in flight
  std::uint64_t number = 0;
  float seconds = 0;  ///< that the points move for
  bool lines = true;
  Interface* interface = nullptr;  ///< null: none is drawn
  VkImage shown = VK_NULL_HANDLE;  ///< in the window; null without one
  VkExtent2D shown_extent{};
};

/// A frame: which pass touches what, in which way. What it is given outlives it.
class Frame {
 public:
  Frame(Gpu& gpu, Scene& scene, Neighbors& neighbors, const Now& now, bool window);
  Frame(const Frame&) = delete;
  Frame& operator=(const Frame&) = delete;

  const FrameGraph& graph() const { return graph_; }
  FrameTimes& times() { return *times_; }
  /// @param within  whether the passes that proxel records inside its own are timed, too
  void record(VkCommandBuffer commands, bool within);

 private:
  void add_drawing(Scene& scene, const Neighbors& neighbors, bool window);

  FrameGraph graph_;
  Resource points_{"points"}, velocities_{"velocities"}, scratch_{"scratch"}, found_{"neighbours"},
      clusters_{"clusters"}, layout_{"layout"}, picture_, shown_{"window"};
  const Now& now_;
  std::unique_ptr<FrameTimes> times_;
};

}  // namespace engine
