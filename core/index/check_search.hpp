#pragma once

#include <cstdint>

#include "proxel/index.hpp"

namespace proxel::index {

/// Throws Error(invalid_argument) unless the filter and the page before are of so many queries and rows.
void check_options(const SearchOptions& options, std::uint64_t queries, std::uint64_t rows);

/// Throws Error(invalid_argument) unless there are no queries or all have so many dimensions.
void check_queries(const MatrixView<float>& queries, std::uint32_t dimensions);

/// Throws Error(invalid_argument) unless rows that are added are of so many dimensions.
void check_added(const MatrixView<float>& rows, std::uint32_t dimensions);

/// Throws Error(invalid_argument) unless rows first … first + count - 1 are among so many.
void check_run(std::uint64_t first, std::uint64_t count, std::uint64_t rows);

}  // namespace proxel::index
