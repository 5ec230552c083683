#include "index/blocks.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "index/load_ahead.hpp"
#include "index/stored_integers.hpp"
#include "index/streamed_codes.hpp"
#include "search/check.hpp"
#include "session/compute_times.hpp"
#include "session/run_once.hpp"
#include "session/stopwatch.hpp"
#include "session/told.hpp"

namespace proxel {

using passes::tile_rows;

namespace {

// Still smaller parts cost a device more to begin than they spare.
constexpr std::uint64_t worthwhile_small_bytes = std::uint64_t{32} << 20;
// A device that waits less than that is what a search is bound by.
constexpr double least_share_of_waiting = 1.0 / 16;

// The tiles that rows take, at most `most` of them.
std::uint64_t tiles_of(std::uint64_t rows, std::uint64_t most) {
  return std::min(most, search::divide_up<std::uint64_t>(rows, tile_rows));
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
                                                                                       std::uint64_t memory_limit,
                                                                                       std::uint64_t codes) {
  const MatrixView<float>& database = rows.all;
  const std::uint64_t tile_bytes = tile_rows * database.columns * 4;
  const std::uint64_t tiles = std::min(memory_limit / 2, device.capabilities().max_allocation_bytes) / tile_bytes;
  if (tiles == 0)
    throw Error(ErrorCode::invalid_argument, "memory_limit",
                fmt::format("{} was given; a tile of 128 rows is held twice, which takes {} bytes", memory_limit,
                            2 * tile_bytes));
  const std::uint64_t block_rows = tiles_of(database.rows, tiles) * tile_rows;
  auto source = std::make_unique<index::HostBlocks>(device, rows, block_rows, options.pinned);
  const index::HostRows& kept = source->database();  // as long as the blocks
  auto blocks = std::make_unique<Blocks>(device, std::move(source), database.rows,
                                         static_cast<std::uint32_t>(database.columns), block_rows, options);
  if (codes != 0) blocks->copy_ = std::make_unique<index::StreamedCodes>(device, kept, options, codes);
  return blocks;
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
    blocks->copy_ = std::make_unique<index::StoredIntegers>(device, rows, dimensions, options);
  return blocks;
}

std::uint64_t Index::Implementation::Blocks::host_bytes_of(std::uint64_t queries, std::uint64_t k) const {
  return queries * (inside_.description.dimensions + 2 * std::min(k, search::most_k)) * 4;
}

bool Index::Implementation::Blocks::may_keep(std::uint64_t queries, std::uint64_t k, bool continued) const {
  return !continued && k <= index::KeptAnswers::most_k &&
         index::KeptAnswers::bytes(queries, inside_.description.dimensions, k) <= inside_.options.scratch_limit;
}

Support Index::Implementation::Blocks::find_method(SearchDescription wanted, FilterKind given, Method& found) const {
  const bool kept = may_keep(wanted.queries, wanted.k, wanted.continued);
  wanted.rows = parts(kept ? 0 : host_bytes_of(wanted.queries, wanted.k)).front().count;
  return inside_.find_method(wanted, given, found);
}

void Index::Implementation::Blocks::be_part_of(std::uint64_t rows) {
  inside_.be_part_of(rows);
  if (small_) small_->inside.be_part_of(rows);
}

void Index::Implementation::Blocks::begin(const Asked& asked) {
  if (asked_ != asked) {
    waits_for_rows_ = true;
    small_.reset();
  }
  asked_ = asked;
  small_asked_ = false;
}

std::optional<index::SmallParts> Index::Implementation::Blocks::small_parts() const {
  // On processors nothing is copied beside a search, but a part takes next to nothing to begin: their tests are those of all.
  const bool on_host = device_.capabilities().runs_on_host;
  if (no_room_for_small_ || (!on_host && !device_.copies_beside())) return std::nullopt;
  // A method that asks for more rows would leave them to a slower one.
  std::uint64_t rows = 0;
  for (const auto& [method, searcher] : inside_.searchers) rows = std::max(rows, searcher->fewest_rows(asked_.k));
  const std::uint64_t least = std::max(on_host ? 0 : worthwhile_small_bytes, rows * inside_.description.dimensions * 4);
  return index::SmallParts{!waits_for_rows_, least};
}

std::vector<index::RowPart> Index::Implementation::Blocks::parts(std::uint64_t host_bytes,
                                                                 std::optional<index::SmallParts> small) const {
  const std::uint64_t row_bytes = std::uint64_t{inside_.description.dimensions} * 4;
  return index::block_parts({rows_, block_rows_, row_bytes, source_->alignment(), source_->loads()}, host_bytes, small);
}

std::vector<index::RowPart> Index::Implementation::Blocks::parts_in_turn(std::uint64_t host_bytes) const {
  std::vector<index::RowPart> all = parts(host_bytes, small_parts());
  if (brought_)
    if (const auto there = std::ranges::find(all, *brought_); there != all.end()) std::iter_swap(all.begin(), there);
  return all;
}

Index::Implementation::Blocks::Resident& Index::Implementation::Blocks::resident_of(const index::RowPart& part,
                                                                                    std::uint64_t usual) {
  if (!source_->loads() || part.count == usual) return resident_;
  small_asked_ = true;
  if (!small_) small_.emplace(device_, part.count, inside_.storage.dimensions(), inside_.options, inside_.whole_rows);
  return *small_;
}

void Index::Implementation::Blocks::bring(Resident& to, const index::RowPart& part, Metric metric) {
  if (part == brought_) return;
  brought_.reset();
  Implementation& inside = to.inside;
  const bool small = &to != &resident_;
  const bool as_many = inside.storage.has_tiles() && inside.storage.rows() == part.count;
  if (!as_many) {
    inside.forget_plans();  // what was planned reads as many rows as there were, in memory that may be needed
    if (small)
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
  const bool one_place =
      source_->loads() && std::ranges::all_of(all, [](const index::RowPart& part) { return part.place == 0; });
  const std::uint64_t usual = std::ranges::max(all, {}, &index::RowPart::count).count;
  index::LoadAhead ahead(device_, *source_, all);
  if (prepare) prepare();
  std::uint64_t before = 0;    // rows that have been searched
  std::uint64_t furthest = 0;  // that was told of: a part may be searched twice
  double waited = 0;           // for all parts but the first, which nothing is searched beside
  std::optional<session::Stopwatch> passing;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const index::RowPart& part = all[i];
    const double waited_before = report.times.upload_milliseconds;
    ahead.take(i, report.times);
    if (i == 0)
      passing.emplace();
    else
      waited += report.times.upload_milliseconds - waited_before;
    Resident& on = resident_of(part, usual);
    bring(on, part, metric);
    if (one_place) {
      device_.wait();
      ahead.release(i);
    }
    sharding::RowNumbers numbers;
    numbers.append(part.first, part.count);
    // Parts that are loaded come in their order, and may share rows; others may come in another, and the last may share some.
    const std::uint64_t behind = source_->loads() ? part.first + part.count : std::min(before + part.count, rows_);
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
  if (!source_->loads() || all.size() < 2) return;
  // To a processor it does not matter: its tests meet smaller parts at both ends, in turn.
  waits_for_rows_ =
      device_.copies_beside() ? waited > least_share_of_waiting * passing->milliseconds() : !waits_for_rows_;
}

bool Index::Implementation::Blocks::give_memory_back() {
  if (small_ || small_asked_) {
    small_.reset();
    small_asked_ = false;
    no_room_for_small_ = true;
    return true;
  }
  return copy_ && copy_->let_go();
}

}  // namespace proxel
