#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "proxel/export.h"

PROXEL_PUBLIC_BEGIN
namespace proxel {

/// How the distance between a query q and a row r is computed.
/// The exact metrics are evaluated in binary32, one rounding per operation,
/// from dimension 0 to d-1 into one accumulator s that starts at +0, so that
/// every backend returns the same bits. The values are shared with the shaders.
///
/// cosine and pearson are bounded metrics: rows and queries are first brought
/// to length 1 (pass normalize_rows), then s is the exact ip of what results.
/// Every step of that is correctly rounded or integer, so that backends give
/// the same bits here as well; what is promised is that a distance lies within
/// error_bound() of the real number that its definition gives. Distances run
/// from 0 to 2, give or take the bound. The order is that of s, taken before
/// the subtraction, equal s by lower index.
enum class Metric : std::uint32_t {
  l1 = 0,    ///< s = s + |q_i - r_i|; smallest first (Bustos 2006, section 2)
  l2sq = 1,  ///< t = q_i - r_i; s = s + t*t; smallest first
  linf = 2,  ///< s = max(s, |q_i - r_i|), NaN if the difference is NaN; smallest first
  ip = 3,    ///< s = s + q_i*r_i; largest first
  l2 = 4,    ///< l2sq, with the correctly rounded square root of each result taken last
  /// 1 - cos of the angle between q and r; smallest first. A zero vector is at
  /// distance 1 of every finite one; NaN where a coordinate is not finite.
  cosine = 5,
  /// 1 - the correlation of q and r: cosine after the mean of its own
  /// coordinates was taken from each; smallest first (Komarov 2013). A vector
  /// whose coordinates are all equal is at distance 1 of every finite one.
  pearson = 6,
};

inline constexpr std::array<Metric, 7> all_metrics = {Metric::l1, Metric::l2sq,   Metric::l2,     Metric::linf,
                                                      Metric::ip, Metric::cosine, Metric::pearson};

/// "l1", "l2sq", "l2", "linf", "ip", "cosine" or "pearson".
std::string_view to_string(Metric metric);

/// The metric of that name. Throws Error(invalid_argument) that lists the names.
Metric metric_from_string(std::string_view name);

/// Whether rows and queries are brought to length 1 first: cosine and pearson.
constexpr bool normalizes(Metric metric) { return metric == Metric::cosine || metric == Metric::pearson; }

/// True where the neighbours are the rows with the largest value (ip). Of the
/// values that a caller sees; keys order what is accumulated, so a pass asks
/// largest_first(accumulated(metric)).
constexpr bool largest_first(Metric metric) { return metric == Metric::ip; }

/// The metric that passes evaluate: l2 is l2sq until its results are decoded,
/// cosine and pearson are ip of normalised values.
constexpr Metric accumulated(Metric metric) {
  if (normalizes(metric)) return Metric::ip;
  return metric == Metric::l2 ? Metric::l2sq : metric;
}

/// The metrics that passes evaluate; accumulated() of every metric is one of them.
inline constexpr std::array<Metric, 4> accumulated_metrics = {Metric::l1, Metric::l2sq, Metric::linf, Metric::ip};

/// How far a distance of a bounded metric may lie from its definition: 1e-5 of
/// the range 0…2, and past some 300 dimensions what d roundings of binary32
/// can add up to at worst (in practice a small part of it). 0 for the metrics
/// that are evaluated exactly as written.
constexpr double error_bound(Metric metric, std::uint32_t dimensions) {
  if (!normalizes(metric)) return 0;
  // d products and sums of values whose squares sum to 1, four roundings in
  // each of the two values, one in the difference.
  const double worst = (dimensions + 16.0) / 16777216.0;
  return worst > 2e-5 ? worst : 2e-5;
}

}  // namespace proxel
PROXEL_PUBLIC_END
