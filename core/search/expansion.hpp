#pragma once

// What the searches share that find candidates by a matrix product and prove them
// canonically (docs/proofs/expansion.md).

#include <algorithm>
#include <cstdint>

#include "proxel/passes/matrix_product.h"
#include "proxel/search.hpp"

namespace proxel::search {

/// Candidates for the k nearest: some beyond k, so that the bound on the rounding
/// finds a gap to fall into.
inline std::uint32_t survivors_of(std::uint32_t k, std::uint64_t rows) {
  constexpr std::uint32_t least_spare = 16;
  constexpr std::uint32_t spare_share = 4;
  return static_cast<std::uint32_t>(
      std::min<std::uint64_t>(rows, std::uint64_t{k} + std::max(least_spare, k / spare_share)));
}

/// Side of the square of threads that forms a tile of the product: 8 or 16.
inline std::uint32_t product_tile_width(const Capabilities& capabilities, std::uint32_t queries) {
  return queries > 64 && capabilities.max_workgroup_size >= 256 ? 16 : 8;
}

/// A product of one row and one query, to ask devices about.
inline passes::MatrixProductParameters sample_product() {
  passes::MatrixProductParameters product{};
  product.rows = tiled_rows(256, passes::tile_rows, 1);
  product.row_count = product.query_count = 1;
  return product;
}

}  // namespace proxel::search
