#include "signatures/pivot_table.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace proxel::krulis {
namespace {

// More than the few roundings of a bound in binary32, so that what is computed is never above
// what is true: factors that raise it are lowered by as much, those that lower it raised.
constexpr double margin = 0x1p-20;

float lowered(double value) { return static_cast<float>(value * (1 - margin)); }
float raised(double value) { return static_cast<float>(value * (1 + margin)); }

}  // namespace

PivotTable::PivotTable(std::vector<std::uint32_t> pivots, std::uint64_t objects)
    : pivots_(std::move(pivots)), is_pivot_(objects), low_(objects * pivots_.size()), high_(low_.size()) {
  for (const std::uint32_t pivot : pivots_) is_pivot_[pivot] = true;
}

void PivotTable::set(std::uint64_t object, std::size_t pivot, const Interval& distance) {
  low_[object * pivots_.size() + pivot] = distance.low;
  high_[object * pivots_.size() + pivot] = distance.high;
}

PivotFilter::PivotFilter(SignatureFilter filter, const PivotTable& table, std::vector<Interval> query)
    : filter_(filter), table_(table) {
  for (const Interval& distance : query) {
    query_low_.push_back(distance.low);
    query_high_.push_back(distance.high);
  }
  if (filter == SignatureFilter::ptolemaic) prepare_pairs();
}

void PivotFilter::prepare_pairs() {
  const std::size_t count = query_low_.size();
  nearest_first_.resize(count);
  std::iota(nearest_first_.begin(), nearest_first_.end(), 0u);
  std::stable_sort(nearest_first_.begin(), nearest_first_.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return query_low_[a] < query_low_[b]; });
  for (const std::uint32_t near : nearest_first_) {
    const std::span<const float> apart = table_.high(table_.pivots()[near]);
    for (std::size_t other = 0; other < count; ++other) {
      // Pivots that may be one and the same tell nothing.
      const bool tells = other != near && apart[other] > 0;
      of_near_.push_back(tells ? lowered(double{query_low_[other]} / apart[other]) : 0.0f);
      of_other_.push_back(tells ? raised(double{query_high_[near]} / apart[other]) : 0.0f);
    }
  }
}

bool PivotFilter::excludes(std::uint64_t object, float limit) const {
  const float* low = table_.low(object).data();
  const float* high = table_.high(object).data();
  return filter_ == SignatureFilter::ptolemaic ? by_pairs(low, high, limit) : by_pivots(low, high, limit);
}

// Counted, not asked one by one, so that the loops become vectors.

bool PivotFilter::by_pivots(const float* low, const float* high, float limit) const {
  int above = 0;
  for (std::size_t i = 0; i < query_low_.size(); ++i)
    above |= int{query_low_[i] - high[i] > limit} | int{low[i] - query_high_[i] > limit};
  return above != 0;
}

bool PivotFilter::by_pairs(const float* low, const float* high, float limit) const {
  const std::size_t count = nearest_first_.size();
  for (std::size_t i = 0; i < count; ++i) {
    const float near = low[nearest_first_[i]];
    const float* of_near = of_near_.data() + i * count;
    const float* of_other = of_other_.data() + i * count;
    int above = 0;
    for (std::size_t other = 0; other < count; ++other)
      above |= int{of_near[other] * near - of_other[other] * high[other] > limit};
    if (above != 0) return true;
  }
  return false;
}

}  // namespace proxel::krulis
