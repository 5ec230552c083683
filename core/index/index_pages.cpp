// A page of an index whose method does not continue behind neighbours: as many are searched for as come before and are asked
// for.
#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

#include "index/check_search.hpp"
#include "index/expected_times.hpp"
#include "index/implementation.hpp"
#include "index/live_filter.hpp"
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

// Whether a search for so many from the nearest on is worth more than one that continues.
bool Index::Implementation::pages_from(std::uint64_t reach, const SearchDescription& page, FilterKind given) const {
  SearchDescription wanted = page;
  wanted.k = reach;
  wanted.continued = false;
  Method answering;
  if (!find_method(wanted, given, answering)) return false;
  wanted.continued = true;
  if (searchers.at(answering)->supports_narrowing(wanted)) return false;
  const Device& device = storage.device();
  if (options.method != Method::automatic || device.capabilities().runs_on_host) return true;
  const BackendKind backend = device.info().backend;
  return index::expected_fused_milliseconds(wanted, backend, index::on_matrix_units(storage, page.metric)) <
         index::expected_scan_milliseconds(page, backend);
}

std::optional<Neighbors> Index::Implementation::search_page(const MatrixView<float>& queries, std::uint64_t k,
                                                            Metric metric, const SearchOptions& with,
                                                            const Nearest& nearest) {
  if (!with.after || with.raw || queries.rows == 0 || !storage.has_tiles()) return {};
  index::check_options(with, queries.rows, description.rows);
  const std::uint64_t remembered = std::exchange(page_reach, 0);
  const std::uint64_t more_by_self = with.self.empty() ? 0 : 1;
  constexpr std::uint64_t most = ScreenedPlan::most_k;
  const std::uint64_t before = with.after->indices.columns();
  if (k == 0 || k > most || before > most) return {};
  const FilterKind given = index::kind_of(with.filter);
  SearchDescription page =
      describe(static_cast<std::uint32_t>(std::min<std::uint64_t>(queries.rows, UINT32_MAX)), k, metric);
  if (given != FilterKind::none) page.filter = given;
  const auto serves = [&](std::uint64_t reach) { return pages_from(reach + more_by_self, page, given); };
  // The largest power of two that is served, or what is served at all: plans are made for few sizes.
  const auto served = [&](std::uint64_t reach) {
    reach = std::min(std::bit_ceil(reach), most);
    if (serves(reach)) return reach;
    std::uint64_t low = 0;
    while (low + 1 < reach) {
      const std::uint64_t middle = (low + reach) / 2;
      (serves(middle) ? low : reach) = middle;
    }
    return low;
  };

  sharding::Keys behind;
  SearchReport report;
  Progress told = with.progress;
  // Pages follow each other as a rule; of one that does not, nothing tells how many come before it.
  constexpr std::uint64_t further = 4;
  std::uint64_t tried = before + k - 1;
  for (std::uint64_t guess = std::max(before, remembered) + k;; guess = further * tried) {
    const std::uint64_t reach = served(guess);
    if (reach <= tried) return {};
    tried = reach;
    if (behind.empty())
      behind = sharding::keys_behind(with, queries, metric, description.rows,
                                     [&](std::span<const std::uint32_t> numbers) { return read_resident(numbers); });
    SearchOptions from_start = with;
    from_start.after = nullptr;
    from_start.ordered = true;
    from_start.progress = told;
    Page found(queries.rows, k, largest_first(accumulated(metric)), behind);
    const auto take = [&](const search::OrderedRows& rows, std::uint64_t first) { found.take(rows, first); };
    const SearchReport latest = nearest(reach, from_start, take).report;
    session::add(report, latest);
    report.method = latest.method;
    if (const std::optional<std::uint64_t> reached = found.reach()) {
      page_reach = *reached;
      Neighbors result = std::move(found.nearest());
      if (!with.ordered) finish(result, metric);
      result.report = std::move(report);
      return result;
    }
    // A bar that was full stays so.
    if (with.progress) told = [&](std::uint64_t, std::uint64_t total) { with.progress(total, total); };
  }
}

}  // namespace proxel
