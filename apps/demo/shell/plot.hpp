#pragma once

#include <deque>
#include <string>
#include <utility>
#include <vector>

#include <imgui.h>
#include <nlohmann/json.hpp>

#include "shell/theme.hpp"

namespace demo {

/// Times in milliseconds as they come in, a line for each backend.
class Plot {
 public:
  void add(const std::string& series, double milliseconds);
  void clear() { series_.clear(); }
  /// @param title  what is timed: "device time of a search, ms"
  void draw(const char* title, const Theme& theme, ImVec2 size) const;
  /// {"vulkan:0": {"count", "latest", "median"}}
  nlohmann::json report() const;

 private:
  struct Series {
    std::string name;
    std::deque<double> times;
    std::size_t count = 0;
  };
  std::vector<Series> series_;
};

}  // namespace demo
