#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace proxel {

/// How the distance between a query q and a row r is computed.
/// Every metric is evaluated in binary32, one rounding per operation, from
/// dimension 0 to d-1 into one accumulator s that starts at +0, so that every
/// backend returns the same bits. The values are shared with the shaders.
enum class Metric : std::uint32_t {
  l1 = 0,    ///< s = s + |q_i - r_i|; smallest first (Bustos 2006, section 2)
  l2sq = 1,  ///< t = q_i - r_i; s = s + t*t; smallest first
  linf = 2,  ///< s = max(s, |q_i - r_i|), NaN if the difference is NaN; smallest first
  ip = 3,    ///< s = s + q_i*r_i; largest first
  l2 = 4,    ///< l2sq, with the correctly rounded square root of each result taken last
};

inline constexpr std::array<Metric, 5> all_metrics = {Metric::l1, Metric::l2sq, Metric::l2,
                                                      Metric::linf, Metric::ip};

/// "l1", "l2sq", "l2", "linf" or "ip".
std::string_view to_string(Metric metric);

/// The metric of that name. Throws Error(invalid_argument) that lists the names.
Metric metric_from_string(std::string_view name);

/// True where the neighbours are the rows with the largest value (ip).
constexpr bool largest_first(Metric metric) { return metric == Metric::ip; }

/// The metric that passes evaluate: l2 is l2sq until its results are decoded.
constexpr Metric accumulated(Metric metric) {
  return metric == Metric::l2 ? Metric::l2sq : metric;
}

}  // namespace proxel
