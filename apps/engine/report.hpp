#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "neighbors.hpp"

namespace engine {

/// Device times of the passes of frames that have been finished.
class Report {
 public:
  explicit Report(std::vector<std::string> passes) : passes_(std::move(passes)), samples_(passes_.size()) {}

  /// @param ticks  one before the passes, one behind each
  void add(const std::vector<std::uint64_t>& ticks, double nanoseconds_per_tick);
  void add_frame(double host_milliseconds) { frames_.push_back(host_milliseconds); }

  /// What is written on the screen.
  std::string text(const Neighbors::Shape& shape) const;

  struct Summary {
    std::string device;
    Neighbors::Shape shape;
    std::string shown;                  ///< "window", "offscreen", "not drawn"
    double first_search_milliseconds = 0;
    std::uint64_t checked_queries = 0;  ///< that were compared with the reference
    std::uint64_t different_queries = 0;
  };
  std::string json(const Summary& summary) const;

 private:
  std::vector<std::string> passes_;
  std::vector<std::vector<double>> samples_;  // milliseconds, of each pass
  std::vector<double> frames_;
};

}  // namespace engine
