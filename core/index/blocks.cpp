#include "index/blocks.hpp"

#include <algorithm>
#include <functional>
#include <future>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

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

using passes::tile_rows;

namespace {

// Answers of more pairs are merged beside the search of the next block.
constexpr std::uint64_t few_pairs = std::uint64_t{1} << 16;
// Smaller parts at the end cost a device more to begin than they spare.
constexpr std::uint64_t least_tail_bytes = std::uint64_t{32} << 20;

// The tiles that rows take, at most `most` of them.
std::uint64_t tiles_of(std::uint64_t rows, std::uint64_t most) {
  return std::min(most, search::divide_up<std::uint64_t>(rows, tile_rows));
}

// Of queries and answers, which pass for each block where the host merges.
std::uint64_t host_bytes_of(std::uint64_t queries, std::uint64_t dimensions, std::uint64_t k) {
  return queries * (dimensions + 2 * std::min(k, search::most_k)) * 4;
}

// Whether the device may merge the answers of blocks.
bool may_keep(std::uint64_t queries, std::uint64_t dimensions, std::uint64_t k, bool continued, std::uint64_t limit) {
  return !continued && k <= index::KeptAnswers::most_k && index::KeptAnswers::bytes(queries, dimensions, k) <= limit;
}

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

IndexOptions of_a_block(IndexOptions options) {
  options.storage = ElementType::float32;
  return options;
}

}  // namespace

Index::Implementation::Blocks::Resident::Resident(Device& device, std::uint64_t rows, std::uint32_t dimensions,
                                                  const IndexOptions& options, std::uint64_t whole)
    : index(std::make_unique<Implementation>(device, rows, dimensions, of_a_block(options))),
      inside(*index.implementation_) {
  inside.passing = true;
  inside.make_searchers();
  inside.storage.let_rows_pass();
  inside.be_part_of(whole);
}

Index::Implementation::Blocks::Blocks(Device& device, std::unique_ptr<index::BlockSource> source, std::uint64_t rows,
                                      std::uint32_t dimensions, std::uint64_t block_rows, const IndexOptions& options)
    : device_(device),
      rows_(rows),
      block_rows_(block_rows),
      source_(std::move(source)),
      resident_(device, std::min(rows, block_rows), dimensions, options, rows),
      inside_(resident_.inside) {
  inside_.storage.create_tiles();
}

std::unique_ptr<Index::Implementation::Blocks> Index::Implementation::Blocks::streamed(Device& device,
                                                                                       const index::HostRows& rows,
                                                                                       const IndexOptions& options,
                                                                                       std::uint64_t memory_limit) {
  const MatrixView<float>& database = rows.all;
  const std::uint64_t tile_bytes = tile_rows * database.columns * 4;
  const std::uint64_t tiles = std::min(memory_limit / 2, device.capabilities().max_allocation_bytes) / tile_bytes;
  if (tiles == 0)
    throw Error(ErrorCode::invalid_argument, "memory_limit",
                fmt::format("{} was given; a tile of 128 rows is held twice, which takes {} bytes", memory_limit,
                            2 * tile_bytes));
  const std::uint64_t block_rows = tiles_of(database.rows, tiles) * tile_rows;
  return std::make_unique<Blocks>(device, std::make_unique<index::HostBlocks>(device, rows, block_rows, options.pinned),
                                  database.rows, static_cast<std::uint32_t>(database.columns), block_rows, options);
}

std::unique_ptr<Index::Implementation::Blocks> Index::Implementation::Blocks::stored(
    Device& device, std::uint64_t rows, std::uint32_t dimensions, const index::StoredBlocks::Fill& fill,
    const IndexOptions& options, const Progress& progress) {
  const std::uint64_t tile_bytes = std::uint64_t{tile_rows} * dimensions * 4;
  const std::uint64_t tiles = std::min(options.scratch_limit, device.capabilities().max_allocation_bytes) / tile_bytes;
  const std::uint64_t block_rows = tiles_of(rows, std::max<std::uint64_t>(tiles, 1)) * tile_rows;
  auto stored = std::make_unique<index::StoredBlocks>(device, rows, dimensions, options.storage, fill, progress);
  auto blocks = std::make_unique<Blocks>(device, std::move(stored), rows, dimensions, block_rows, options);
  if (options.storage == ElementType::uint8 || options.storage == ElementType::int8)
    blocks->integers_.emplace(device, rows, dimensions, options);
  return blocks;
}

Support Index::Implementation::Blocks::find_method(SearchDescription wanted, FilterKind given, Method& found) const {
  const bool kept =
      may_keep(wanted.queries, wanted.dimensions, wanted.k, wanted.continued, inside_.options.scratch_limit);
  wanted.rows = parts(kept ? 0 : host_bytes_of(wanted.queries, wanted.dimensions, wanted.k)).front().count;
  return inside_.find_method(wanted, given, found);
}

void Index::Implementation::Blocks::be_part_of(std::uint64_t rows) {
  inside_.be_part_of(rows);
  if (tail_) tail_->inside.be_part_of(rows);
}

std::vector<index::RowPart> Index::Implementation::Blocks::parts(std::uint64_t host_bytes, bool tail) const {
  std::optional<std::uint64_t> least_tail;
  if (device_.capabilities().runs_on_host)
    least_tail = 0;  // there a part takes next to nothing to begin
  else if (device_.copies_beside())
    least_tail = least_tail_bytes;
  if (!tail) least_tail.reset();
  const std::uint64_t row_bytes = std::uint64_t{inside_.description.dimensions} * 4;
  return index::block_parts({rows_, block_rows_, row_bytes, source_->alignment(), source_->loads()}, host_bytes,
                            least_tail);
}

std::vector<index::RowPart> Index::Implementation::Blocks::parts_in_turn(std::uint64_t host_bytes) {
  std::vector<index::RowPart> all = parts(host_bytes, !no_room_for_tail_);
  if (brought_)
    if (const auto there = std::ranges::find(all, *brought_); there != all.end()) std::iter_swap(all.begin(), there);
  return all;
}

Index::Implementation::Blocks::Resident& Index::Implementation::Blocks::resident_of(const index::RowPart& part,
                                                                                    const index::RowPart& first) {
  if (!source_->loads() || part.count == first.count) return resident_;
  if (!tail_) tail_.emplace(device_, part.count, inside_.storage.dimensions(), inside_.options, inside_.whole_rows);
  return *tail_;
}

void Index::Implementation::Blocks::bring(Resident& to, const index::RowPart& part, Metric metric) {
  if (part == brought_) return;
  brought_.reset();
  Implementation& inside = to.inside;
  const bool of_tail = &to != &resident_;
  const bool as_many = inside.storage.has_tiles() && inside.storage.rows() == part.count;
  if (!as_many) {
    inside.forget_plans();  // what was planned reads as many rows as there were, in memory that may be needed
    if (of_tail)
      inside.storage.lie_within(inside_.storage, part.count);
    else
      inside.storage.set_rows(part.count, 0);
    inside.live = index::LiveRows(part.count);
  }
  const passes::Rows& tiles = inside.storage.segments().front().rows;
  unloads_ = true;
  session::start(device_, unloading_, [&](Recording& recording) {
    recording.push_label("rows of a block");
    source_->record_unload(recording, part, tiles);
    recording.pop_label();
  }, inside_.options.timing);
  inside.rows_changed(0);
  if (as_many && !follow(inside, metric)) inside.forget_plans();
  if (!source_->loads()) brought_ = part;
}

void Index::Implementation::Blocks::end_bringing(const Resident& to, SearchTimes& times) {
  device_.wait();
  if (!std::exchange(unloads_, false)) return;
  session::add_compute_times(times, *unloading_);
  for (const auto& [method, searcher] : to.inside.searchers) searcher->add_times(times);
}

bool Index::Implementation::Blocks::follow(Implementation& inside, Metric metric) {
  try {
    return inside.follow(metric);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::out_of_memory) throw;
    return false;
  }
}

void Index::Implementation::Blocks::each_block(Metric metric, std::uint64_t host_bytes, const Progress& progress,
                                               SearchReport& report, const SearchBlock& search,
                                               const std::function<void()>& prepare) {
  session::Told told(progress, rows_);
  const std::vector<index::RowPart> all = parts_in_turn(host_bytes);
  const session::WorkEnds work(device_);  // also where something fails
  // Rows that arrive have one place where there is no room for two, which the next may take as soon as these are tiles.
  const bool one_place = source_->loads() && (all.size() < 2 || all[0].place == all[1].place);
  index::LoadAhead ahead(device_, *source_, all);
  if (prepare) prepare();
  std::uint64_t before = 0;    // rows that have been searched, but for those that two parts share
  std::uint64_t furthest = 0;  // that was told of: a part may be searched twice
  for (std::size_t i = 0; i < all.size(); ++i) {
    const index::RowPart& part = all[i];
    ahead.take(i, report.times);
    Resident& on = resident_of(part, all.front());
    bring(on, part, metric);
    if (one_place) {
      device_.wait();
      ahead.release(i);
    }
    sharding::RowNumbers numbers;
    numbers.append(part.first, part.count);
    const std::uint64_t behind = std::min(before + part.count, rows_);
    Progress of_block;
    if (progress)
      of_block = [&](std::uint64_t done, std::uint64_t total) {
        const double share = static_cast<double>(done) / static_cast<double>(std::max<std::uint64_t>(total, 1));
        furthest =
            std::max(furthest, before + static_cast<std::uint64_t>(static_cast<double>(behind - before) * share));
        told.reached(furthest);
      };
    search(on, numbers, of_block);
    end_bringing(on, report.times);
    ahead.release(i);
    told.reached(before = behind);
  }
}

bool Index::Implementation::Blocks::keep(std::uint64_t queries, std::uint64_t k) {
  if (kept_ && kept_->is_for(queries, k)) return true;
  kept_.reset();  // its memory may be what the next needs
  try {
    kept_ = std::make_unique<index::KeptAnswers>(device_, queries, inside_.description.dimensions, k);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::out_of_memory) throw;
  }
  return kept_ != nullptr;
}

bool Index::Implementation::Blocks::give_memory_back() {
  if (source_->loads() && !std::exchange(no_room_for_tail_, true)) {
    tail_.reset();
    return true;
  }
  return integers_ && integers_->let_go();
}

Neighbors Index::Implementation::Blocks::nearest(const MatrixView<float>& queries, std::uint64_t k, Metric metric,
                                                 const SearchOptions& given, const index::LiveRows& live,
                                                 const sharding::ReadRows& read) {
  if (queries.rows == 0) return session::neighbors_room(0, k);
  std::uint64_t furthest = 0;
  const SearchOptions with = never_back(given, furthest);
  index::LiveFilter filter(live, with.filter);
  if (integers_)
    if (std::optional<Neighbors> found = nearest_by_integers(queries, k, metric, with, filter))
      return *std::move(found);
  return with_less([&] {
    if (!with.after && parts(0).size() == 1) return nearest_in_one(queries, k, metric, with, filter);
    const bool may = may_keep(queries.rows, queries.columns, k, with.after != nullptr, inside_.options.scratch_limit);
    return may && keep(queries.rows, k) ? nearest_on_device(queries, k, metric, with, filter)
                                        : nearest_by_host(queries, k, metric, with, filter, read);
  });
}

std::optional<Neighbors> Index::Implementation::Blocks::nearest_by_integers(const MatrixView<float>& queries,
                                                                            std::uint64_t k, Metric metric,
                                                                            const SearchOptions& with,
                                                                            index::LiveFilter& filter) {
  if (with.after || !with.self.empty()) return {};
  // Rows that are one block stay widened, which a scan for a few queries reads as soon.
  if (inside_.options.method == Method::automatic && parts(0).size() == 1 &&
      queries.rows < index::worthwhile_fused_queries)
    return {};
  SearchDescription wanted = inside_.description;
  wanted.rows = rows_;
  wanted.metric = metric;
  wanted.queries = static_cast<std::uint32_t>(std::min<std::uint64_t>(queries.rows, UINT32_MAX));
  wanted.k = k;
  wanted.filter = filter.kind();
  wanted.ordered = with.ordered;
  if (!integers_->serves(wanted, QueryValues::either)) return {};
  wanted.values = index::values_of(queries);
  if (!integers_->serves(wanted, wanted.values)) return {};
  const session::Stopwatch packing;
  if (!integers_->packed(metric) && !pack_integers(metric, with.progress)) return {};
  const double packed = packing.milliseconds();
  std::optional<Neighbors> found = integers_->search(queries, wanted, filter, with.progress);
  if (found) found->report.times.upload_milliseconds += packed;
  return found;
}

bool Index::Implementation::Blocks::pack_integers(Metric metric, const Progress& progress) try {
  if (!integers_->make_room(metric)) return false;
  const session::WorkEnds work(device_);  // also where something fails
  // No search of the block that is there follows, so that what was planned over copies of the block before reads those.
  inside_.forget_plans();
  SearchTimes unheard;
  for (std::uint64_t first = 0; first < rows_; first += block_rows_) {
    if (progress) progress(0, rows_);  // which may throw
    bring(resident_, {first, std::min(block_rows_, rows_ - first)}, metric);
    session::run_once(device_, [&](Recording& recording) {
      integers_->record_pack(recording, metric, inside_.storage.segments().front().rows, first);
    });
    end_bringing(resident_, unheard);
  }
  integers_->end_packing(metric);
  return true;
} catch (const Error& error) {
  if (error.code() != ErrorCode::out_of_memory) throw;
  integers_->let_go();
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
    room.get();
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
        if (error.code() != ErrorCode::out_of_memory || &on != &resident_) throw;
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
  each_block(metric, host_bytes_of(queries.rows, queries.columns, k), with.progress, result.report,
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
    each_block(metric, queries.rows * queries.columns * 4, with.progress, report,
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
