#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "choices.hpp"
#include "frame.hpp"
#include "gpu/frames.hpp"
#include "interface.hpp"
#include "report.hpp"
#include "scene.hpp"
#include "window.hpp"

namespace engine {

/// What the command line says.
struct Settings {
  Choices choices;
  std::uint64_t frames = 0;  ///< until it ends; 0: when the window is closed
  bool offscreen = false;
  bool check = false;
  std::string keys;                     ///< pressed one after the other, one in each frame
  std::string screenshot;               ///< a file; empty: none
  std::optional<std::uint32_t> device;  ///< position among the Vulkan devices
  std::string pipeline_cache;
  VkExtent2D extent{1280, 720};
};

/// A small engine: points move, proxel finds their neighbours, both are drawn; one command buffer a frame.
class Engine {
 public:
  explicit Engine(const Settings& settings);
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  /// All frames. Throws proxel::Error.
  void run();
  const Report::Summary& summary() const { return summary_; }
  nlohmann::ordered_json report() const;

 private:
  using Clock = std::chrono::steady_clock;

  Gpu::Options options() const;
  /// Makes what depends on the shape: points, plans, the frame.
  void take_shape();
  /// Whether there is another one.
  bool next_frame();
  /// Waits until the frame that had the slot before is over, and keeps its times.
  void finish(std::uint32_t slot);
  void check();
  void check_clusters(proxel::Device& host, const proxel::Neighbors& graph);
  void check_layout(proxel::Device& host, const proxel::Neighbors& graph);

  Settings settings_;
  Choices& choices_ = settings_.choices;
  std::unique_ptr<Window> window_;
  Gpu gpu_;
  gpu::Frames frames_;
  Scene scene_;
  std::unique_ptr<Interface> interface_;
  std::unique_ptr<Neighbors> neighbors_;
  Now now_;
  std::unique_ptr<Frame> frame_;
  Report report_;
  Report::Summary summary_;
  Clock::time_point last_{};
};

}  // namespace engine
