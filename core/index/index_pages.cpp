// A page of an index whose method does not continue behind neighbours: as many are searched for as come before and are asked
// for.
#include <algorithm>
#include <bit>
#include <optional>

#include "index/check_search.hpp"
#include "index/implementation.hpp"
#include "index/live_filter.hpp"
#include "index/readback.hpp"
#include "passes/order.hpp"
#include "proxel/merge.hpp"
#include "proxel/screened.hpp"
#include "search/merge_rows.hpp"
#include "session/compute_times.hpp"
#include "session/room.hpp"
#include "sharding/page.hpp"

namespace proxel {
namespace {

// Neighbours of queries that come behind some place.
class Page {
 public:
  Page(std::uint64_t queries, std::uint64_t k, bool largest_first, const sharding::Keys& behind)
      : nearest_(session::neighbors_room(queries, k)), largest_first_(largest_first), behind_(behind) {
    search::RowMerge(largest_first).pad(nearest_, 0, queries);
  }

  /// Takes what was found for some queries, from the nearest on, in order.
  void take(const search::OrderedRows& found, std::uint64_t first) {
    for (std::uint64_t row = 0; row < found.rows; ++row) take_query(found, row, first + row);
  }
  /// Neighbours that a query had to have for its page to be whole; nothing where that many were not searched for.
  std::optional<std::uint64_t> reach() const { return whole_ ? std::optional(reach_) : std::nullopt; }
  Neighbors& nearest() { return nearest_; }

 private:
  void take_query(const search::OrderedRows& found, std::uint64_t row, std::uint64_t query) {
    // Nothing is behind what was no row.
    if (behind_[query] == passes::no_row_key) return;
    const std::uint32_t* const indices = found.indices + row * found.columns;
    const float* const distances = found.distances + row * found.columns;
    const auto key = [&](std::uint64_t rank) {
      return search::key_of(indices[rank], distances[rank], 0, largest_first_);
    };
    std::uint64_t low = 0, high = found.columns;
    while (low < high) {
      const std::uint64_t middle = (low + high) / 2;
      if (key(middle) <= behind_[query])
        low = middle + 1;
      else
        high = middle;
    }
    const std::uint64_t k = nearest_.indices.columns(), count = std::min(k, found.columns - low);
    std::copy_n(indices + low, count, nearest_.indices.data() + query * k);
    std::copy_n(distances + low, count, nearest_.distances.data() + query * k);
    // Where there is no further row, none is missing.
    const bool all = indices[found.columns - 1] == no_neighbor;
    if (count < k && !all) whole_ = false;
    reach_ = std::max(reach_, low + count);
  }

  Neighbors nearest_;
  bool largest_first_;
  const sharding::Keys& behind_;
  bool whole_ = true;
  std::uint64_t reach_ = 0;
};

}  // namespace

std::optional<Neighbors> Index::Implementation::search_page(const MatrixView<float>& queries, std::uint64_t k,
                                                            Metric metric, const SearchOptions& with,
                                                            const Nearest& nearest) {
  if (!with.after || with.raw || queries.rows == 0 || !storage.has_tiles()) return {};
  index::check_options(with, queries.rows, description.rows);
  const std::uint64_t before = with.after->indices.columns();
  sharding::Keys behind;
  SearchReport report;
  // Pages follow each other as a rule. Powers of two, so that plans are made for few sizes.
  std::uint64_t reach = std::max(before, page_reach) + k;
  if (reach > ScreenedPlan::most_k) reach = before + k;
  for (reach = std::bit_ceil(reach); reach <= ScreenedPlan::most_k; reach *= 2) {
    // Whether what answers so many would not continue by itself.
    SearchDescription wanted = describe(static_cast<std::uint32_t>(std::min<std::uint64_t>(queries.rows, UINT32_MAX)),
                                        with.self.empty() ? reach : wider_by_self(reach), metric);
    wanted.filter = with.filter.data ? index::kind_of(with.filter) : wanted.filter;
    Method answering;
    if (!find_method(wanted, index::kind_of(with.filter), answering)) return {};
    wanted.continued = true;
    if (searchers.at(answering)->supports_narrowing(wanted)) return {};
    if (behind.empty())
      behind = sharding::keys_behind(with, queries, metric, description.rows,
                                     [&](std::span<const std::uint32_t> numbers) { return read_resident(numbers); });
    SearchOptions from_start = with;
    from_start.after = nullptr;
    from_start.ordered = true;
    Page page(queries.rows, k, largest_first(accumulated(metric)), behind);
    const auto take = [&](const search::OrderedRows& found, std::uint64_t first) { page.take(found, first); };
    const SearchReport latest = nearest(reach, from_start, take).report;
    session::add(report, latest);
    report.method = latest.method;
    if (const std::optional<std::uint64_t> reached = page.reach()) {
      page_reach = *reached;
      Neighbors found = std::move(page.nearest());
      if (!with.ordered) finish(found, metric);
      found.report = std::move(report);
      return found;
    }
  }
  return {};
}

}  // namespace proxel
