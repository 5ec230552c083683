#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "input.hpp"
#include "proxel/matrix.hpp"

namespace proxel::tool {

/// Rows and queries on which arithmetic is judged.
struct AccuracyData {
  std::string name;
  std::string source;  ///< where they come from, or what was published about them
  Matrix<float> database, queries;
};

/// Two points, 10000 and 10001, in one dimension; each is asked for.
AccuracyData two_points();
/// Small distances between points that share a large offset.
AccuracyData large_offset();
/// 128 small integers per row, most of them near zero, as SIFT descriptors are.
AccuracyData sift_like(std::uint64_t seed);
/// Rows of a file, some of them held out as queries by a shuffle.
/// @param input  a column of labels is left out
AccuracyData from_file(const std::string& path, std::uint64_t query_count, std::uint64_t seed,
                       const InputOptions& input);

/// Where the CoverType sample lies, if the bundled data was installed.
std::filesystem::path covertype_sample();

}  // namespace proxel::tool
