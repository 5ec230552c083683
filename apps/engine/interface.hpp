#pragma once

#include <array>
#include <map>
#include <memory>
#include <string>

#include "choices.hpp"
#include "frame_graph.hpp"
#include "gpu/target.hpp"
#include "report.hpp"
#include "window.hpp"

namespace engine {

/// What stands over the picture: the frame graph with its times, what can be chosen, keys.
class Interface {
 public:
  /// What there is to say about the frames so far.
  struct View {
    const FrameGraph& graph;
    const Report& report;
    const Report::Summary& summary;
    bool window = false;
  };
  /// A rectangle of the picture, pixels: left, top, right, bottom.
  using Area = std::array<float, 4>;

  virtual ~Interface() = default;
  /// Puts a frame together. Changes what is chosen with mouse and keys.
  virtual void build(const View& view, Choices& choices) = 0;
  /// Draws it, within the render pass of the target that it was made for.
  /// @param slot  of the frames in flight, whose work before is over
  virtual void record(VkCommandBuffer commands, VkExtent2D extent, std::uint32_t slot) = 0;
  /// Where its parts are, for tests that look at them.
  virtual const std::map<std::string, Area>& areas() const = 0;
};

/// Null where the engine was built without Dear ImGui.
/// @param window  whose mouse and keyboard it takes; may be null
std::unique_ptr<Interface> make_interface(Gpu& gpu, const gpu::Target& target, Window* window);

}  // namespace engine
