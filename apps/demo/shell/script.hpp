#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "shell/input.hpp"
#include "shell/targets.hpp"

namespace demo {

/// What a script acts on.
struct Stage {
  Input& input;
  std::function<void(const std::string& name)> tab;
  std::function<void(const std::vector<std::string>& paths)> drop;
  std::function<void(const std::string& file)> screenshot, report;
  std::function<void(const std::string& name)> theme;
  std::function<void(std::uint32_t width, std::uint32_t height)> resize;
  std::function<void()> measure;  ///< forgets the frame times so far
  std::function<bool()> idle;     ///< no work is going on, nor waiting
};

/// Input that tests give: the events of a mouse and a keyboard, one step after the other.
///
///   tab NAME                   shows a tab
///   click TARGET               also: double-click, right-click, hover
///   drag TARGET X Y            by so many pixels
///   scroll TARGET LINES        of the wheel; up is positive
///   set TARGET = VALUE         types a value into a slider (Ctrl+click)
///   type TEXT                  into what has the keyboard
///   key KEYS                   "ctrl+1", "space", "left"
///   drop PATH                  a file or folder onto the window
///   wait [SECONDS]             until nothing is being worked on any more; fails after that long (60)
///   frames COUNT               lets so many frames pass
///   measure                    forgets the frame times so far: "frames" then measures idle ones
///   screenshot FILE.png, report FILE.json
///   theme dark|light, size WIDTHxHEIGHT
///   quit                       as does the end of the script
///
/// A TARGET is the name of something marked (targets.hpp), "cloud"; "cloud@0.25,0.75" is a place
/// within it, by its width and height. A target that is not there is waited for for five seconds.
class Script {
 public:
  explicit Script(std::vector<std::string> steps) : steps_(std::move(steps)) {}
  /// The steps of a file, {"steps": ["tab Words", …]}. Throws proxel::Error.
  static std::vector<std::string> read(const std::string& path);

  bool empty() const { return steps_.empty(); }
  /// Before each frame. Whether the script goes on. Throws proxel::Error that names the step.
  bool advance(const Stage& stage);

 private:
  using Clock = std::chrono::steady_clock;
  /// Whether the step has been taken; false: it is tried again with the next frame.
  bool take(const std::string& step, const Stage& stage);
  bool find(const std::string& target, ImVec2& place);
  [[noreturn]] void fail(const std::string& why) const;

  std::vector<std::string> steps_;
  std::size_t next_ = 0;
  std::uint64_t frames_ = 5;  // to let pass before the next step
  bool began_ = false;
  Clock::time_point begin_{};  // of the step that waits
};

}  // namespace demo
