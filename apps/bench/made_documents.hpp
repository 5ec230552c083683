#pragma once

#include <cstdint>

#include "proxel/matrix.hpp"

namespace proxel::tool {

/// Documents as vectors of term frequencies over a small vocabulary, most of them 0: each
/// is of one or two of some topics, which prefer terms of their own over those that all share,
/// the few first of them by far (Zipf's law). The seed decides them.
Matrix<float> made_documents(std::uint64_t documents, std::uint32_t terms, std::uint64_t seed);

}  // namespace proxel::tool
