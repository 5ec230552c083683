#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "frame_times.hpp"
#include "neighbors.hpp"

namespace engine {

/// Times of frames that have been finished.
class Report {
 public:
  explicit Report(std::vector<std::string> passes = {}) : passes_(std::move(passes)), samples_(passes_.size()) {}

  void add(const std::vector<PassTime>& times);
  void add_frame(double host_milliseconds);

  /// Milliseconds, one for each of the latest frames.
  const std::vector<double>& frames() const { return frames_; }
  const std::vector<double>& pass(std::size_t number) const { return samples_[number]; }
  /// The median of so few frames that a change is seen at once, and of so many that the figure can be read.
  double recent(std::size_t pass) const;
  /// What proxel recorded within that pass, each name once; empty where that is not timed.
  struct Part {
    std::string name;
    std::uint32_t count = 0;
    double milliseconds = 0;
  };
  const std::vector<Part>& within(std::size_t number) const { return latest_[number]; }

  struct Summary {
    std::string device;
    Shape shape;
    std::string shown;  ///< "window", "offscreen", "not drawn"
    double first_search_milliseconds = 0;
    std::uint64_t checked_queries = 0;  ///< that were compared with the reference
    std::uint64_t different_queries = 0;
    std::uint64_t clusters = 0;            ///< by the reference
    std::uint64_t different_clusters = 0;  ///< points, and the number of clusters, that differ from it
    bool laid_out = false;
    std::uint64_t different_positions = 0;  ///< points that the reference's step moves elsewhere
  };
  nlohmann::ordered_json json(const Summary& summary) const;

 private:
  std::vector<std::string> passes_;
  std::vector<std::vector<double>> samples_;  // of each pass
  std::vector<std::vector<Part>> latest_ = std::vector<std::vector<Part>>(passes_.size());
  std::vector<double> frames_;
  std::uint64_t count_ = 0;  // frames
};

double median(std::span<const double> values);
/// "boxes", "scan".
const char* name_of(Method method);

}  // namespace engine
