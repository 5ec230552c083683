#pragma once

#include <memory>
#include <span>
#include <vector>

#include "proxel/signature_index.hpp"

namespace demo {

/// The neighbours of one image among all.
struct Ranking {
  /// Every image: the nearest first, those behind the nearest `distances.size()` as they lie in the folder.
  std::vector<std::uint32_t> order;
  std::vector<float> distances;  ///< of the nearest
  double milliseconds = 0;       ///< of the device
};

/// So many neighbours are searched for first, which is quick; the order of all others follows.
inline constexpr std::uint64_t nearest_first = 1024;

/// @param found  one query's neighbours, slots without one at its end allowed
Ranking ranking_of(const proxel::Neighbors& found, std::uint64_t images);

/// All images by their distances, images of one distance as they lie in the folder.
Ranking ranking_of(std::span<const float> distances);

/// Signature number `query` alone.
proxel::Signatures signature_of(const proxel::Signatures& signatures, std::uint64_t query);

}  // namespace demo
