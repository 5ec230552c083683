#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "proxel/neighbors.hpp"

namespace proxel::tool {

/// Compares an answer with what is expected, bit for bit; nothing where they
/// are equal, otherwise the first difference.
///
/// It cannot pass for want of something to compare: throws std::logic_error
/// where nothing is expected, where a query has no nearest row within the
/// database or none at a finite distance, or where the shapes differ.
/// @param expected  [queries.size() x k]
/// @param queries   the row of `found` that each row of `expected` belongs to
/// @param rows      rows of the database
std::optional<std::string> check_sample(const Neighbors& expected, const std::vector<std::uint64_t>& queries,
                                        const Neighbors& found, std::uint64_t rows);

/// The same where `expected` has every row of `found`.
std::optional<std::string> check_all(const Neighbors& expected, const Neighbors& found, std::uint64_t rows);

/// Queries spread evenly over 0 … queries - 1, the first and the last among them.
std::vector<std::uint64_t> spread_sample(std::uint64_t queries, std::uint64_t count);

}  // namespace proxel::tool
