#include "index/expected_times.hpp"

#include <algorithm>
#include <cmath>

namespace proxel::index {
namespace {

// The sizes as real numbers.
struct Sizes {
  double n, d, q, k;
  explicit Sizes(const SearchDescription& description)
      : n(static_cast<double>(description.rows)),
        d(description.dimensions),
        q(description.queries),
        k(static_cast<double>(description.k)) {}
};

}  // namespace

// A query walks from box to box, one step after another, so that few queries take as long as
// those that fill the device; more neighbours mean more boxes, and fewer queries at a time.
double expected_bvh_milliseconds(const SearchDescription& description) {
  const Sizes s(description);
  const double walk = (0.014 + 0.006 * s.d) * std::pow(std::max(s.n, 1024.0) / 1024, 0.05 * s.d) *
                      (0.5 + 0.5 * std::pow(s.k / 20, 1.12 - 0.06 * s.d));
  const double at_a_time = 4000 / (1 + s.k / 700);
  return walk * std::max(1.0, s.q / at_a_time);
}

// Seven passes that start one after another, the rows once for every tile of queries, and what
// each query has to sort.
double expected_fused_milliseconds(const SearchDescription& description) {
  const Sizes s(description);
  return 0.07 + 0.005 * std::sqrt(s.k) + 1.5e-7 * s.n + 4e-10 * s.q * s.n + 3e-7 * s.q * s.k;
}

// Every pair, with longer lists to keep; and where rows are few, workgroups that are too few.
double expected_scan_milliseconds(const SearchDescription& description) {
  const Sizes s(description);
  return std::max(0.015 + 0.003 * std::sqrt(s.k) + 0.0003 * s.k + 2e-9 * s.q * s.n * (1 + 0.2 * std::sqrt(s.k)),
                  5e-5 * s.q);
}

}  // namespace proxel::index
