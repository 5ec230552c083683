#pragma once

#include "bench/made_data.hpp"
#include "bench/suite.hpp"

namespace proxel::tool {

/// The sizes of Garcia 2010, section 3.2.
inline constexpr std::uint64_t sift_queries = 1024;
inline constexpr std::uint64_t sift_neighbors = 20;
inline constexpr std::uint64_t sift_largest = 65536;

/// Features to match: of --data, whose last rows are the queries, or made; notes which.
SiftImages sift_features(const BenchOptions& options, Recorder& recorder);

Matrix<float> first_rows(const Matrix<float>& all, std::uint64_t rows);

}  // namespace proxel::tool
