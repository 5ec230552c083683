#pragma once

#include <cstdint>
#include <vector>

#include "images/local_features.hpp"
#include "proxel/neighbors.hpp"

namespace demo {

/// A local feature of one image and the nearest of the other.
struct Candidate {
  std::uint32_t from, to;
  float ratio;  ///< of the distances to the nearest and to the second: the smaller, the surer (Lowe 2004)
};

/// @param two_nearest  of each feature of the one image, by Euclidean distance
std::vector<Candidate> candidates_of(const proxel::Neighbors& two_nearest);

/// Those whose ratio is at most that.
std::vector<Candidate> accepted(const std::vector<Candidate>& candidates, float ratio);

/// How one image was turned, scaled and cut to make the other; pixels of both lie around the middle.
struct Turn {
  float degrees = 0;
  float scale = 1;
};
struct Point {
  float x, y;
};

/// The image turned and scaled about its middle, cut to the size it had; white where there was nothing.
proxel::images::Image turned(const proxel::images::Image& image, const Turn& turn);
/// Where a pixel has gone.
Point turned(Point point, const proxel::images::Image& image, const Turn& turn);

/// How many of the matches lead to within `pixels` of where the point has gone.
std::size_t agreeing(const std::vector<Candidate>& matches, const std::vector<proxel::images::Keypoint>& from,
                     const std::vector<proxel::images::Keypoint>& to, const proxel::images::Image& image,
                     const Turn& turn, float pixels);

}  // namespace demo
