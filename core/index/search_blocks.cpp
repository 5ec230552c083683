// The searches of rows that pass through the device.
#include <algorithm>
#include <functional>
#include <future>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "index/blocks.hpp"
#include "index/choice_limits.hpp"
#include "index/live_filter.hpp"
#include "index/load_ahead.hpp"
#include "index/query_values.hpp"
#include "proxel/merge.hpp"
#include "search/check.hpp"
#include "search/merge_rows.hpp"
#include "search/over_queries.hpp"
#include "session/compute_times.hpp"
#include "session/room.hpp"
#include "session/run_once.hpp"
#include "session/stopwatch.hpp"
#include "session/told.hpp"
#include "sharding/part_search.hpp"

namespace proxel {
namespace {

// Answers of more pairs are merged beside the search of the next block.
constexpr std::uint64_t few_pairs = std::uint64_t{1} << 16;

// The options of a search that may begin anew: what it tells of its progress does not go back.
// @param furthest  that was told of; it and `given` outlive the result
SearchOptions never_back(const SearchOptions& given, std::uint64_t& furthest) {
  SearchOptions with = given;
  if (given.progress)
    with.progress = [&](std::uint64_t done, std::uint64_t total) {
      furthest = std::max(furthest, done);
      given.progress(furthest, total);
    };
  return with;
}

}  // namespace

bool Index::Implementation::Blocks::keep(std::uint64_t queries, std::uint64_t k) {
  return index::KeptAnswers::keep(kept_, device_, queries, inside_.description.dimensions, k);
}

Neighbors Index::Implementation::Blocks::nearest(const MatrixView<float>& queries, std::uint64_t k, Metric metric,
                                                 const SearchOptions& given, const index::LiveRows& live,
                                                 const sharding::ReadRows& read) {
  if (queries.rows == 0) return session::neighbors_room(0, k);
  begin({queries.rows, k, metric});
  std::uint64_t furthest = 0;
  const SearchOptions with = never_back(given, furthest);
  index::LiveFilter filter(live, with.filter);
  if (copy_)
    if (std::optional<Neighbors> found = nearest_by_copy(queries, k, metric, with, filter)) return *std::move(found);
  return with_less([&] {
    if (!with.after && parts(0).size() == 1) return nearest_in_one(queries, k, metric, with, filter);
    const bool may = may_keep(queries.rows, k, with.after != nullptr);
    return may && keep(queries.rows, k) ? nearest_on_device(queries, k, metric, with, filter)
                                        : nearest_by_host(queries, k, metric, with, filter, read);
  });
}

std::optional<Neighbors> Index::Implementation::Blocks::nearest_by_copy(const MatrixView<float>& queries,
                                                                        std::uint64_t k, Metric metric,
                                                                        const SearchOptions& with,
                                                                        index::LiveFilter& filter) {
  if (with.after || !with.self.empty()) return {};
  // Rows that are one block stay widened for fewer queries, which a scan reads as soon.
  constexpr std::uint64_t worthwhile_queries = 4;
  if (!source_->loads() && inside_.options.method == Method::automatic && parts(0).size() == 1 &&
      queries.rows < worthwhile_queries)
    return {};
  SearchDescription wanted = inside_.description;
  wanted.rows = rows_;
  wanted.metric = metric;
  wanted.queries = static_cast<std::uint32_t>(std::min<std::uint64_t>(queries.rows, UINT32_MAX));
  wanted.k = k;
  wanted.filter = filter.kind();
  wanted.ordered = with.ordered;
  if (!copy_->serves(wanted, queries)) return {};
  const session::Stopwatch packing;
  if (!copy_->packed(metric) && !pack_copy(metric, with.progress)) return {};
  const double packed = packing.milliseconds();
  std::optional<Neighbors> found = copy_->search(queries, wanted, filter, with.progress);
  if (found) found->report.times.upload_milliseconds += packed;
  return found;
}

bool Index::Implementation::Blocks::pack_copy(Metric metric, const Progress& progress) try {
  if (!copy_->make_room(metric)) return false;
  // Rows that are loaded pass through halves of the room for them, of which one is loaded all the time.
  const std::uint64_t half = block_rows_ / 2 / passes::tile_rows * passes::tile_rows;
  const bool halves = source_->loads() && half != 0;
  const std::uint64_t rows_of_a_part = halves ? half : block_rows_;
  std::vector<index::RowPart> all;
  for (std::uint64_t first = 0; first < rows_; first += rows_of_a_part)
    all.push_back({first, std::min(rows_of_a_part, rows_ - first), halves && all.size() % 2 == 1 ? half : 0});
  const session::WorkEnds work(device_);  // also where something fails
  // No search of the block that is there follows, so that what was planned over copies of the block before reads those.
  inside_.forget_plans();
  small_.reset();
  SearchTimes unheard;
  session::Told told(progress, rows_);  // that nothing has been searched yet, which may throw
  copy_->begin_packing(metric);
  index::LoadAhead ahead(device_, *source_, all);
  for (std::size_t i = 0; i < all.size(); ++i) {
    told.reached(0);
    ahead.take(i, unheard);
    bring(resident_, all[i], metric);
    session::run_once(device_, [&](Recording& recording) {
      copy_->record_pack(recording, metric, inside_.storage.segments().front().rows, all[i].first);
    });
    end_bringing(resident_, unheard);
    ahead.release(i);
  }
  copy_->end_packing(metric);
  return true;
} catch (const Error& error) {
  if (error.code() != ErrorCode::out_of_memory) throw;
  copy_->let_go();
  return false;
}

Neighbors Index::Implementation::Blocks::nearest_in_one(const MatrixView<float>& queries, std::uint64_t k,
                                                        Metric metric, const SearchOptions& with,
                                                        index::LiveFilter& filter) {
  SearchOptions of_all = with;
  of_all.filter = filter.of(0, queries.rows);
  Neighbors result;
  SearchReport report;
  each_block(metric, 0, with.progress, report,
             [&](Resident& on, const sharding::RowNumbers&, const Progress& progress) {
    of_all.progress = progress;
    result = on.index.search(queries, k, metric, of_all);
  });
  session::add(report, result.report);
  report.method = result.report.method;
  result.report = std::move(report);
  return result;
}

Neighbors Index::Implementation::Blocks::nearest_on_device(const MatrixView<float>& queries, std::uint64_t k,
                                                           Metric metric, const SearchOptions& with,
                                                           index::LiveFilter& filter) {
  session::RoomBeside room(queries.rows, k);
  std::optional<QueryValues> known;
  const auto values = [&] {
    if (!known) known = index::values_of(queries);
    return *known;
  };
  SearchOptions of_all = with;
  of_all.filter = filter.of(0, queries.rows);
  SearchReport report;
  const auto prepare = [&] {
    const session::Stopwatch bringing;
    room.begin();
    kept_->begin(queries);
    report.times.upload_milliseconds += bringing.milliseconds();
  };
  // Whether distances that are known decide. Of the first part's rows there are none yet.
  bool decisive = !no_room_for_two_plans_;
  each_block(metric, 0, with.progress, report,
             [&](Resident& on, const sharding::RowNumbers& numbers, const Progress& progress) {
    const sharding::PartOptions mine(numbers, of_all, progress);
    const std::uint64_t columns = std::min(k, numbers.size());
    Ends ends;
    ends.queries_on_device = ends.answers_on_device = ends.bounded = true;
    ends.values = values;
    ends.encode = [&](const session::Round& round, std::uint64_t first, std::uint64_t count) {
      kept_->copy_queries(round, first, count);
    };
    ends.take = [&](const session::Round& round, std::uint64_t first, std::uint64_t count) {
      kept_->add(round, first, count, columns, numbers.number(0), metric);
    };
    SearchReport latest;
    const auto search_it = [&](bool unsampled) {
      ends.unsampled = unsampled;
      latest = on.inside.search(queries.rows, columns, metric, mine.options(), ends).report;
    };
    // Whether the distances so far decide all queries. Of rows in an order, far ones first, too many are within them.
    const auto decided = [&] {
      try {
        search_it(true);
      } catch (const Error& error) {
        if (error.code() != ErrorCode::out_of_memory || small_) throw;
        on.inside.forget_plans();
        no_room_for_two_plans_ = true;
        return false;
      }
      if (!session::leaves_undecided(latest)) return true;
      latest.rungs.clear();
      session::add(report, latest);
      return false;
    };
    decisive = decisive && (report.method.empty() || decided());
    if (report.method.empty() || !decisive) search_it(false);
    kept_->end_part();
    session::add(report, latest);
    if (report.method.empty()) report.method = latest.method;
  }, prepare);
  const session::Stopwatch reading;
  Neighbors result = room.take();
  kept_->read(with.ordered ? accumulated(metric) : metric, result);
  report.times.readback_milliseconds += reading.milliseconds();
  result.report = std::move(report);
  return result;
}

Neighbors Index::Implementation::Blocks::nearest_by_host(const MatrixView<float>& queries, std::uint64_t k,
                                                         Metric metric, const SearchOptions& with,
                                                         index::LiveFilter& filter, const sharding::ReadRows& read) {
  Neighbors result = session::neighbors_room(queries.rows, k);
  const bool largest = largest_first(accumulated(metric));
  search::RowMerge(largest).pad(result, 0, queries.rows);
  sharding::Keys behind;
  if (with.after) behind = sharding::keys_behind(with, queries, metric, rows_, read);
  SearchOptions of_block = with;
  of_block.filter = filter.of(0, queries.rows);
  Neighbors found;
  std::future<void> merging;  // it goes before what it reads and writes
  each_block(metric, host_bytes_of(queries.rows, k), with.progress, result.report,
             [&](Resident& on, const sharding::RowNumbers& numbers, const Progress& progress) {
    Neighbors latest = sharding::search_part(on.index, numbers, queries, std::min(k, numbers.size()), metric, of_block,
                                             with.after ? &behind : nullptr, progress);
    session::add(result.report, latest.report);
    if (result.report.method.empty()) result.report.method = latest.report.method;
    if (merging.valid()) merging.get();
    found = std::move(latest);
    const auto merge = [&] {
      const std::uint64_t columns = found.indices.columns();
      search::over_queries(queries.rows, k, [&](std::uint64_t first, std::uint64_t count) {
        search::RowMerge(largest).add(
            {found.indices.data() + first * columns, found.distances.data() + first * columns, count, columns, 0},
            result, first);
      });
    };
    if (queries.rows * found.indices.columns() <= few_pairs) return merge();
    try {
      merging = std::async(std::launch::async, merge);
    } catch (const std::system_error&) {
      merge();  // no thread to be had
    }
  });
  if (merging.valid()) merging.get();
  if (!with.ordered) finish(result, metric);
  return result;
}

RangeNeighbors Index::Implementation::Blocks::within(const MatrixView<float>& queries, float radius, Metric metric,
                                                     const SearchOptions& given, const index::LiveRows& live) {
  RangeNeighbors result;
  result.offsets.assign(1, 0);
  if (queries.rows == 0) return result;
  begin({queries.rows, 0, metric});
  std::uint64_t furthest = 0;
  const SearchOptions with = never_back(given, furthest);
  index::LiveFilter filter(live, with.filter);
  SearchOptions of_block = with;
  of_block.filter = filter.of(0, queries.rows);
  std::vector<RangeNeighbors> parts;
  SearchReport report;
  with_less([&] {
    parts.clear();
    report = {};
    each_block(metric, host_bytes_of(queries.rows, 0), with.progress, report,
               [&](Resident& on, const sharding::RowNumbers& numbers, const Progress& progress) {
      parts.push_back(sharding::range_search_part(on.index, numbers, queries, radius, metric, of_block, progress));
      session::add(report, parts.back().report);
      if (report.method.empty()) report.method = parts.back().report.method;
    });
    return 0;
  });
  const session::Stopwatch merging;
  result = sharding::merged(parts, queries.rows, metric, with.ordered);
  report.times.readback_milliseconds += merging.milliseconds();
  result.report = std::move(report);
  return result;
}

}  // namespace proxel
