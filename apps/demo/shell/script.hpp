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

/// The steps, for a help text.
extern const char* const script_help;

/// Input that tests give: the events of a mouse and a keyboard, one step after the other.
///
/// script_help tells what there is. A target is something marked (targets.hpp).
class Script {
 public:
  explicit Script(std::vector<std::string> steps) : steps_(std::move(steps)) {}
  /// The steps of a file, {"steps": ["tab Words", …]}. Throws proxel::Error.
  static std::vector<std::string> read(const std::string& path);

  bool empty() const { return steps_.empty(); }
  /// Whether every step up to "quit" has been taken.
  bool finished() const { return next_ == steps_.size() || steps_[next_] == "quit"; }
  /// The step that it waits for, of one that is not finished: "step 2 'wait'".
  std::string waiting_for() const;
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
