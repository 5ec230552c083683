#pragma once

#include "index/live_rows.hpp"
#include "proxel/search.hpp"

namespace proxel::index {

/// The kind of a caller's filter; none without data.
FilterKind kind_of(const MatrixView<std::uint32_t>& filter);

/// What the blocks of a search filter by: the rows that the caller allows and that
/// have not been removed. Owns neither.
class LiveFilter {
 public:
  LiveFilter(const LiveRows& live, const MatrixView<std::uint32_t>& wanted);

  FilterKind kind() const { return kind_; }
  /// The filter of queries first … first + count - 1, where the kind is not none. Valid until
  /// the next call.
  MatrixView<std::uint32_t> of(std::uint64_t first, std::uint64_t count);

 private:
  const LiveRows& live_;
  MatrixView<std::uint32_t> wanted_;
  FilterKind kind_;
  Matrix<std::uint32_t> both_;  // where rows have been removed
};

}  // namespace proxel::index
