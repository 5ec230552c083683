#include <algorithm>
#include <vector>

#include "passes/grids.hpp"
#include "passes/matches.hpp"
#include "passes/order.hpp"
#include "passes/reference.hpp"
#include "proxel/passes/range_sort.h"

namespace proxel {

Pass passes::make_range_sort(const RangeSortParameters& parameters, std::uint32_t groups, std::uint32_t query_count) {
  return make_pass(range_sort, parameters, {}, {groups, query_count, 1}, common_workgroup, range_run * 8);
}

namespace {

// A query's matches as keys, written back by the destructor.
class Keys {
 public:
  Keys(const passes::RangeSortParameters& parameters, const passes::Matches& matches)
      : indices_(passes::at<std::uint32_t>(parameters.indices) + matches.first),
        distance_keys_(passes::at<std::uint32_t>(parameters.distance_keys) + matches.first),
        values(matches.count) {
    for (std::uint64_t i = 0; i < matches.count; ++i) values[i] = passes::make_key(distance_keys_[i], indices_[i]);
  }
  ~Keys() {
    for (std::uint64_t i = 0; i < values.size(); ++i) {
      indices_[i] = passes::index_of(values[i]);
      distance_keys_[i] = passes::distance_key_of(values[i]);
    }
  }
  Keys(const Keys&) = delete;
  Keys& operator=(const Keys&) = delete;

 private:
  std::uint32_t* indices_;
  std::uint32_t* distance_keys_;

 public:
  std::vector<std::uint64_t> values;
};

// Compares matches `distance` apart within runs of twice that, or the i-th of a
// run with the i-th from its end.
void exchange(std::vector<std::uint64_t>& keys, std::uint64_t distance, bool from_the_end) {
  for (std::uint64_t run = 0; run < keys.size(); run += 2 * distance)
    for (std::uint64_t i = 0; i < distance; ++i) {
      const std::uint64_t low = run + i;
      const std::uint64_t high = from_the_end ? run + 2 * distance - 1 - i : low + distance;
      if (high < keys.size() && keys[high] < keys[low]) std::swap(keys[low], keys[high]);
    }
}

}  // namespace

PROXEL_THREADED_PASS(range_sort)(const Pass& pass) {
  using namespace passes;
  const auto parameters = pass.as<RangeSortParameters>();
  for (std::uint64_t query = 0; query < pass.grid.y; ++query) {
    const Matches matches(parameters.offsets, query, parameters.capacity);
    if (parameters.merged_log2 != 0 && matches.count <= std::uint64_t{1} << (parameters.merged_log2 - 1)) continue;
    Keys keys(parameters, matches);
    if (parameters.merged_log2 == 0) {
      for (std::uint64_t run = 0; run < matches.count; run += range_run)
        std::sort(
            keys.values.begin() + static_cast<std::ptrdiff_t>(run),
            keys.values.begin() + static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(run + range_run, matches.count)));
      continue;
    }
    const bool rest = parameters.distance_log2 == range_run_log2 - 1;
    const std::uint32_t last = rest ? 0 : parameters.distance_log2;
    for (std::uint32_t log2 = parameters.distance_log2 + 1; log2-- > last;)
      exchange(keys.values, std::uint64_t{1} << log2, log2 + 1 == parameters.merged_log2);
  }
}

}  // namespace proxel
