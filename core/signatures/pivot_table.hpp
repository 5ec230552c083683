#pragma once

// Distances of objects to pivots, and what they say of distances between a query and an object.

#include <cstdint>
#include <span>
#include <vector>

#include "proxel/papers/krulis.hpp"
#include "signatures/krulis_bounds.hpp"

namespace proxel::krulis {

/// The true distances of all objects to the pivots, as intervals.
class PivotTable {
 public:
  static constexpr std::uint32_t most_pivots = 256;

  PivotTable() = default;
  PivotTable(std::vector<std::uint32_t> pivots, std::uint64_t objects);

  std::span<const std::uint32_t> pivots() const { return pivots_; }
  bool is_pivot(std::uint64_t object) const { return is_pivot_[object]; }

  void set(std::uint64_t object, std::size_t pivot, const Interval& distance);
  /// Bounds of an object's distance to each pivot.
  std::span<const float> low(std::uint64_t object) const { return of(low_, object); }
  std::span<const float> high(std::uint64_t object) const { return of(high_, object); }

 private:
  std::span<const float> of(const std::vector<float>& values, std::uint64_t object) const {
    return {values.data() + object * pivots_.size(), pivots_.size()};
  }

  std::vector<std::uint32_t> pivots_;
  std::vector<bool> is_pivot_;
  std::vector<float> low_, high_;  // [objects x pivots]
};

/// What excludes objects for one query.
class PivotFilter {
 public:
  /// @param filter  pivots or ptolemaic
  /// @param query   of the query to each pivot
  PivotFilter(SignatureFilter filter, const PivotTable& table, std::vector<Interval> query);

  /// Whether the true distance of query and object is above the limit, as far as pivots tell.
  /// @param limit  exclusion_limit() of the pair
  bool excludes(std::uint64_t object, float limit) const;

 private:
  void prepare_pairs();
  bool by_pivots(const float* low, const float* high, float limit) const;
  bool by_pairs(const float* low, const float* high, float limit) const;

  SignatureFilter filter_;
  const PivotTable& table_;
  std::vector<float> query_low_, query_high_;
  // For pivots p, nearest to the query first, and s, a row of the others for each p:
  // |d(q,s) d(o,p) - d(q,p) d(o,s)| / d(p,s) is at least factor of d(o,p) - factor of d(o,s).
  std::vector<std::uint32_t> nearest_first_;
  std::vector<float> of_near_, of_other_;
};

}  // namespace proxel::krulis
