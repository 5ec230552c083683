#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "gpu/gpu.hpp"

namespace demo {

using gpu::Gpu;

class Backends;
class Notices;
class Pictures;
class Worker;
struct Theme;

/// What every tab is given. It lives as long as the window, longer than the tabs.
struct Context {
  Backends& backends;  ///< proxel's devices, and which is chosen
  Worker& worker;      ///< work off the window's thread; devices of `backends` are used there alone
  Pictures& pictures;  ///< images as textures
  Notices& notices;    ///< errors in plain words, shown above the tab
  Gpu& gpu;            ///< the window's device; gpu.lent() is proxel's view of it, for record()
  const Theme& theme;
  std::filesystem::path data;  ///< the bundled data
  /// Tests set it: nothing moves by the clock, time advances by 1/60 s a frame.
  bool reduce_motion = false;
  double seconds = 0;       ///< time of this frame
  float frame_seconds = 0;  ///< since the frame before
  std::uint32_t slot = 0;   ///< of gpu::frames_in_flight, for what is written for one frame
  bool drawing = false;

  /// Something moves: another frame follows this one at once. Without it the window rests until
  /// there is input or the worker has something to say.
  void keep_drawing() { drawing = true; }
};

/// One of the systems. Everything is called on the window's thread.
class Tab {
 public:
  virtual ~Tab() = default;
  virtual const char* name() const = 0;
  /// What it is for, one line for who has never seen it.
  virtual const char* about() const = 0;
  /// The first time that it is shown: starts loading its data on the worker.
  virtual void open(Context&) {}
  /// Each frame while shown, inside a child window of the tab's area.
  virtual void draw(Context&) = 0;
  /// Each frame while shown, before the interface is drawn: GPU work of its own, outside a render pass.
  virtual void record(Context&, VkCommandBuffer) {}
  /// Files that were dropped. Whether they were taken.
  virtual bool drop(Context&, std::span<const std::string>) { return false; }
  /// Keys of its own and what they do, for the page that F1 shows.
  virtual std::vector<std::pair<std::string, std::string>> keys() const { return {}; }
  /// Settings that are kept from run to run. What is read may be of an older version, or by hand.
  virtual void restore(const nlohmann::json&) {}
  virtual nlohmann::json settings() const = 0;
  /// What tests look at: counts, answers, device times, identical or not, errors.
  virtual nlohmann::json report() const = 0;
};

std::unique_ptr<Tab> make_texels_tab();
std::unique_ptr<Tab> make_matches_tab();
std::unique_ptr<Tab> make_words_tab();
std::unique_ptr<Tab> make_images_tab();
std::unique_ptr<Tab> make_compare_tab();

/// Those that there are, in the order of the tab bar.
std::vector<std::unique_ptr<Tab>> make_tabs();

}  // namespace demo
