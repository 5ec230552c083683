#pragma once

#include <memory>
#include <optional>
#include <string>

#include "matches/pairing.hpp"
#include "proxel/index.hpp"

namespace demo {

/// One of two images, and its local features.
struct Side {
  proxel::images::Image image;
  proxel::images::LocalFeatures features;
};

/// Images are shown, and searched, with sides of at most so many pixels.
inline constexpr std::uint32_t most_side_pixels = 900;
inline constexpr std::size_t most_features = 4000;

/// Throws proxel::Error, which names the file.
std::shared_ptr<const Side> read_side(const std::string& path);
std::shared_ptr<const Side> turned_side(const Side& side, const Turn& turn);

/// What was found for a pair.
struct Pairing {
  std::shared_ptr<const Side> left, right;
  std::optional<Turn> turn;  ///< where the right image was made of the left one
  proxel::Neighbors found;   ///< of each feature of the left image the two nearest of the right one
  std::vector<Candidate> candidates;
  double milliseconds = 0;  ///< of the device
};

/// Two neighbours of each of the left features among the right ones. None where there are none.
proxel::Neighbors two_nearest(proxel::Device& device, const Side& left, const Side& right,
                              double* milliseconds = nullptr);

/// Within so many pixels a match agrees with the turn.
inline constexpr float agreeing_pixels = 3;

}  // namespace demo
