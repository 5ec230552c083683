#pragma once

#include <cstdint>
#include <string>

#include "proxel/matrix.hpp"
#include "proxel/signatures.hpp"
#include "proxel/strings.hpp"

namespace proxel::tool {

/// Objects that are searched, and those that are looked for.
template <typename Objects>
struct SearchedData {
  std::string name;  ///< a file, or what was made
  Objects database, queries;
};
using VectorData = SearchedData<Matrix<float>>;
using WordData = SearchedData<Strings>;
using SignatureData = SearchedData<Signatures>;

// Some of the objects themselves as queries, evenly spread; as many as there are, where more are asked for.

Matrix<float> some_of(const Matrix<float>& rows, std::uint64_t count);
Signatures some_of(const Signatures& signatures, std::uint64_t count);
/// Each with the letter in its middle left out, so that the word itself is near, and not the only one.
Strings some_of(const Strings& words, std::uint64_t count);

/// Signatures with uniform centroids in the unit cube. The seed decides them.
/// @param longest  centroids that one has at most, at least 1
Signatures made_signatures(std::uint64_t count, std::uint64_t longest, std::uint64_t seed);

}  // namespace proxel::tool
