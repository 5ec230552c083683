#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "proxel/neighbors.hpp"

namespace proxel::tool {

/// How alike the images of a database are to the image whose features were the
/// queries (Garcia 2010, section 3.2: "a voting algorithm enables to determine
/// the images most similar"; the paper does not say which one).
struct Votes {
  /// Every neighbour of every query is a vote for its image.
  std::vector<std::uint64_t> of_neighbors;  ///< per image
  /// Only unambiguous matches vote: the nearest feature is nearer than 0.8 times
  /// the nearest of any other image (Lowe 2004, section 7.1), or than that much of
  /// the farthest neighbour where all are of one image.
  std::vector<std::uint64_t> of_matches;  ///< per image
};

/// @param neighbors  by squared distance, at least one found per query
/// @param features   rows of the database that make one image
Votes count_votes(const Neighbors& neighbors, std::uint64_t rows, std::uint64_t features);

/// "image 0 with 260 of 1,024 votes, then image 17 with 31"
std::string winner(const std::vector<std::uint64_t>& votes);

}  // namespace proxel::tool
