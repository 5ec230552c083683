#include <fmt/format.h>

#include "proxel/error.hpp"
#include "proxel/extraction.hpp"

namespace proxel {

void check(const ExtractionOptions& options) {
  const auto require = [](const char* name, auto value, auto least, auto most) {
    if (!(value >= least && value <= most))  // a NaN is not
      throw Error(ErrorCode::invalid_argument, name,
                  fmt::format("{} was given; {} to {} is allowed", value, least, most));
  };
  require("points", options.points, 1u, ExtractionOptions::largest_points);
  require("window", options.window, 1u, ExtractionOptions::largest_window);
  require("centroids", options.most_centroids, 1u, ExtractionOptions::largest_most_centroids);
  require("joining distance", options.joining_distance, 0.0f, 1e6f);
  require("smallest cluster", options.smallest_cluster, 0u, ExtractionOptions::largest_points);
  require("iterations", options.iterations, 1u, 100u);
  require("position", options.position, 0.0f, 1e6f);
  require("colour", options.colour, 0.0f, 1e6f);
  require("texture", options.texture, 0.0f, 1e6f);
}

}  // namespace proxel
