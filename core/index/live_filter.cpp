#include "index/live_filter.hpp"

namespace proxel::index {

FilterKind kind_of(const MatrixView<std::uint32_t>& filter) {
  if (!filter.data) return FilterKind::none;
  return filter.rows == 1 ? FilterKind::shared : FilterKind::per_query;
}

LiveFilter::LiveFilter(const LiveRows& live, const MatrixView<std::uint32_t>& wanted)
    : live_(live), wanted_(wanted), kind_(kind_of(wanted)) {
  if (live.removed() == 0 || kind_ == FilterKind::per_query) return;
  kind_ = FilterKind::shared;
  both_ = live.filter(wanted);
}

MatrixView<std::uint32_t> LiveFilter::of(std::uint64_t first, std::uint64_t count) {
  const bool per_query = kind_ == FilterKind::per_query;
  const MatrixView<std::uint32_t> part = per_query ? wanted_.slice(first, count) : wanted_;
  if (live_.removed() == 0) return part;
  if (per_query) both_ = live_.filter(part);
  return both_.view();
}

}  // namespace proxel::index
