#pragma once

#include <cstdint>
#include <functional>

#include "proxel/matrix.hpp"

namespace proxel::tool {

/// Calls body(first, last) for parts of 0 … count - 1, on all cores.
void in_parts(std::uint64_t count, const std::function<void(std::uint64_t, std::uint64_t)>& body);

/// Values of the standard normal distribution. The seed decides them, not the
/// number of threads that make them.
Matrix<float> normal_matrix(std::uint64_t rows, std::uint64_t columns, std::uint64_t seed);

/// Descriptors in the manner of SIFT (Lowe 2004): 128 integers from 0 to 255,
/// many of them small, of Euclidean length about 512.
///
/// They come in images of `sift_image_features` consecutive rows. An image's
/// features scatter around words that all images share, as features of real
/// images do, so near neighbours exist and are contested.
struct SiftImages {
  Matrix<float> database;  ///< [images * sift_image_features x 128]
  /// The features of a new photograph of image 0: a quarter are its features
  /// with noise, the rest belong to no image.
  Matrix<float> queries;  ///< [queries x 128]
};
inline constexpr std::uint32_t sift_dimensions = 128;
inline constexpr std::uint64_t sift_image_features = 128;
SiftImages sift_like(std::uint64_t images, std::uint64_t queries, std::uint64_t seed);

}  // namespace proxel::tool
