#pragma once

#include <cstdint>
#include <string>

#include "bench/suite.hpp"
#include "proxel/matrix.hpp"

namespace proxel::tool {

/// Rows of --data, of which some are queries and not searched.
struct GivenRows {
  Matrix<float> database, queries;
};

/// Reads the file; notes whose data are measured, n and d. Which rows are queries the seed decides.
/// @param queries  wanted; half of the rows are held out at most
/// Throws Error, also where there are fewer than 10 rows.
GivenRows read_given_rows(const BenchOptions& options, std::uint64_t queries, Recorder& recorder);

/// The first rows, as many as there are at most.
Matrix<float> first_rows(const Matrix<float>& all, std::uint64_t rows);

}  // namespace proxel::tool
