#pragma once

// Small data of every kind, always the same.

#include "proxel/matrix.hpp"
#include "proxel/signatures.hpp"
#include "proxel/strings.hpp"

namespace proxel::faults {

/// Integers from 0 to 199, which every element type can store.
Matrix<float> integers(std::uint64_t rows, std::uint64_t columns, std::uint32_t seed);
/// Words of 1 to 40 letters, some of them of two bytes.
Strings words(std::uint64_t count, std::uint32_t seed);
/// Signatures of 1 to 5 centroids in two dimensions.
Signatures signatures(std::uint64_t count, std::uint32_t seed);

}  // namespace proxel::faults
