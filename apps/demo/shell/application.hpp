#pragma once

#include <atomic>
#include <chrono>
#include <deque>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gpu/frames.hpp"
#include "gpu/paint.hpp"
#include "gpu/target.hpp"
#include "shell/backends.hpp"
#include "shell/input.hpp"
#include "shell/notices.hpp"
#include "shell/pictures.hpp"
#include "shell/script.hpp"
#include "shell/tab.hpp"
#include "shell/theme.hpp"
#include "shell/window.hpp"
#include "shell/worker.hpp"

namespace demo {

/// What the command line says.
struct Options {
  std::optional<VkExtent2D> size;
  std::optional<float> scale;
  std::string theme, tab, backend;
  std::optional<std::uint32_t> window_device;  ///< position among the Vulkan devices, for the window
  std::filesystem::path settings, data;
  std::vector<std::string> steps;
  std::uint64_t frames = 0;  ///< ends after so many; 0: goes on
  bool offscreen = false, reduce_motion = false;
  std::chrono::steady_clock::time_point begin;  ///< of the program
};

/// The keys of a tab's jobs and notices begin so.
std::string key_of(const Tab& tab);

/// The window with its tabs, from the first frame to the last.
class Application {
 public:
  explicit Application(Options options);
  ~Application();
  Application(const Application&) = delete;
  Application& operator=(const Application&) = delete;

  /// The program's exit code.
  int run();

 private:
  using Clock = std::chrono::steady_clock;

  void restore();
  void save();
  void set_scale();
  void set_theme(const std::string& name);
  void show_tab(const std::string& name);
  void drop(const std::vector<std::string>& paths);
  void resize(VkExtent2D size);

  // The frame.
  bool advance_script();
  bool wait_for_something();
  void frame();
  void draw_interface();
  void draw_bar();
  void draw_about();
  void draw_status();
  void draw_help();
  void take_keys();
  void record(VkCommandBuffer commands, VkImage shown);

  void screenshot(const std::string& file);
  void write_report(const std::string& file);
  nlohmann::json report() const;

  Options options_;
  nlohmann::json settings_;
  Input input_;
  std::unique_ptr<Window> window_;
  std::unique_ptr<Gpu> gpu_;
  std::unique_ptr<Pictures> pictures_;
  std::unique_ptr<Backends> backends_;
  Theme theme_;
  Notices notices_;
  std::unique_ptr<gpu::Frames> frames_;
  std::unique_ptr<gpu::Target> target_;
  std::unique_ptr<gpu::Paint> paint_;
  std::atomic<bool> woken_ = true;
  std::unique_ptr<Context> context_;
  std::vector<std::unique_ptr<Tab>> tabs_;
  std::vector<bool> opened_;
  std::unique_ptr<Worker> worker_;  // ends before what its jobs use
  std::size_t shown_ = 0;
  Script script_;

  std::uint64_t number_ = 0;  // of the frame
  int settling_ = 3;          // frames that are drawn although nothing happens
  bool quits_ = false, help_ = false;
  Clock::time_point last_{};
  std::deque<double> frame_times_;  // milliseconds, of frames that followed each other at once
  bool followed_ = false;
  double first_frame_ = 0, ready_ = 0;
};

}  // namespace demo
