#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "proxel/matrix.hpp"

namespace demo {

/// Vectors to search, and vectors to search for that are not among them.
struct TexelData {
  std::string name;                       ///< what people are shown
  proxel::Matrix<float> rows;             ///< [n x d]
  proxel::Matrix<float> queries;          ///< [q x d], at least one
  std::vector<std::string> row_labels;    ///< of each row; empty where there are none
  std::vector<std::string> query_labels;  ///< "digit 7", "class 2"
  /// Where rows are pictures: coordinate y * width + x is how dark (x, y) is, 0 to `darkest`.
  std::uint32_t picture_width = 0, picture_height = 0;
  float darkest = 0;

  bool pictures() const { return picture_width != 0; }
};

/// Handwritten digits, pictures of 8 x 8: the bundled file in the folder of data. Throws proxel::Error.
TexelData read_digits(const std::filesystem::path& folder);
/// The bundled rows of Forest CoverType; every hundredth is a query.
TexelData read_covertype(const std::filesystem::path& folder);
/// A file of vectors that proxel reads; the last rows, up to a hundred and at most half, are queries.
/// Throws proxel::Error, also unsupported for more than most_texel_values.
TexelData read_vectors(const std::string& path);

/// Every state of the textures is kept, which limits what is shown.
inline constexpr std::uint64_t most_texel_values = std::uint64_t{1} << 24;

}  // namespace demo
