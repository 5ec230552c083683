#pragma once

#include "proxel/matrix.hpp"
#include "proxel/search.hpp"

namespace proxel::index {

/// What the values of queries are, by a sample of them: of others the search takes longer.
QueryValues values_of(const MatrixView<float>& queries);

}  // namespace proxel::index
