#pragma once

#include <cstdint>
#include <functional>
#include <utility>

#include "proxel/matrix.hpp"

namespace proxel::index {

/// Rows in host memory that are read piece by piece.
struct HostRows {
  /// Called before rows first … first + count - 1 are read; throws where they may not be. May be empty.
  using Look = std::function<void(std::uint64_t first, std::uint64_t count)>;

  MatrixView<float> all;
  Look look = {};

  HostRows(const MatrixView<float>& rows) : all(rows) {}
  HostRows(const MatrixView<float>& rows, Look before) : all(rows), look(std::move(before)) {}

  MatrixView<float> slice(std::uint64_t first, std::uint64_t count) const {
    if (look) look(first, count);
    return all.slice(first, count);
  }
};

}  // namespace proxel::index
