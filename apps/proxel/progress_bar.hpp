#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "proxel/index.hpp"

namespace proxel::tool {

/// A line on stderr that shows how far long work has come. Nothing is printed
/// where stderr is no terminal, nor for work that ends within half a second.
/// Every update is also where Ctrl-C takes effect.
class ProgressBar {
 public:
  explicit ProgressBar(std::string title);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// Throws Interrupted after Ctrl-C.
  void update(std::uint64_t done, std::uint64_t total);
  /// Names what is being done now.
  void set_title(std::string title);
  /// For the library's long calls; valid as long as this object.
  Progress callback();

 private:
  using Clock = std::chrono::steady_clock;
  void erase();

  std::string title_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_drawn_ = start_;
  bool drawn_ = false;
};

}  // namespace proxel::tool
