#include "index/blocked_scan.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "index/decorated_plans.hpp"
#include "index/plan_over.hpp"
#include "index/upload.hpp"
#include "proxel/merge.hpp"
#include "proxel/passes/types.h"
#include "search/check.hpp"
#include "search/merge_rows.hpp"
#include "session/queries_at_once.hpp"
#include "session/round.hpp"
#include "session/stopwatch.hpp"
#include "session/told.hpp"

namespace proxel::index {

using passes::tile_rows;

namespace {

// The tiles that rows take, at most `most` of them.
std::uint64_t tiles_of(std::uint64_t rows, std::uint64_t most) {
  return std::min(most, search::divide_up<std::uint64_t>(rows, tile_rows));
}

}  // namespace

// The search of one block of rows for one block of queries.
struct BlockedScan::BlockSearch {
  std::uint64_t rows, queries;
  RowsSegment segment;
  std::optional<session::Round> round;

  BlockSearch(const BlockedScan& scan, std::uint64_t row_count, const SearchDescription& wanted)
      : rows(row_count),
        queries(wanted.queries),
        segment{tiled_rows(scan.tiles_->address(), row_count, scan.dimensions_), 0} {
    SearchDescription description = wanted;
    description.rows = rows;
    const std::span<const RowsSegment> segments(&segment, 1);
    auto plan = std::make_unique<PlanOverSegments<ScanPlan>>(description, segments,
                                                             ScanPlan::make(scan.device_, description, segments));
    round.emplace(scan.device_,
                  normalizing(scan.device_, wanted.metric, {wanted.queries, wanted.dimensions}, std::move(plan)),
                  session::Round::Memory{}, scan.options_.timing);
  }
};

BlockedScan::BlockedScan(Device& device, std::unique_ptr<BlockSource> source, std::uint64_t rows,
                         std::uint32_t dimensions, std::uint64_t block_rows, const IndexOptions& options)
    : device_(device),
      options_(options),
      rows_(rows),
      dimensions_(dimensions),
      block_rows_(block_rows),
      tiles_(device.create_buffer(block_rows * dimensions * 4, MemoryKind::device)),
      source_(std::move(source)) {}

void BlockedScan::search(const MatrixView<float>& queries, std::uint64_t k, Metric metric, bool ordered,
                         const LiveRows& live, const Progress& progress, Neighbors& result) {
  if (queries.rows == 0) return;
  SearchTimes& times = result.report.times;
  result.report.method = to_string(Method::scan);
  SearchDescription wanted;
  wanted.metric = metric;
  wanted.dimensions = dimensions_;
  wanted.k = k;
  wanted.scratch_limit = options_.scratch_limit;
  wanted.ordered = true;
  // Blocks begin at whole words of it, as they begin at whole tiles.
  const std::vector<std::uint32_t> allowed = live.words();
  if (!allowed.empty()) wanted.filter = FilterKind::shared;
  const std::uint64_t per_query = (dimensions_ + 2 * k) * 4;
  const std::uint64_t query_block = std::min(session::queries_at_once(per_query), queries.rows);

  search::RowMerge merged(largest_first(accumulated(metric)));
  merged.pad(result, 0, result.indices.rows());
  std::unique_ptr<BlockSearch> kept;
  const auto prepared = [&](std::uint64_t rows, std::uint64_t count) -> BlockSearch& {
    if (!kept || kept->rows != rows || kept->queries != count) {
      kept.reset();  // its memory may be what the next needs
      wanted.queries = static_cast<std::uint32_t>(count);
      kept = std::make_unique<BlockSearch>(*this, rows, wanted);
    }
    return *kept;
  };

  session::Told told(progress, rows_);
  const auto unload = device_.create_commands(Timing::none);
  source_->load(0, std::min(block_rows_, rows_), times);
  for (std::uint64_t first = 0; first < rows_; first += block_rows_) {
    const std::uint64_t count = std::min(block_rows_, rows_ - first);
    const std::uint64_t next = first + count;
    source_->finish_loading();
    const passes::Rows tiles = tiled_rows(tiles_->address(), count, dimensions_);
    unload->begin();
    source_->record_unload(*unload, tiles);
    if (normalizes(metric)) {
      unload->barrier();
      record_normalize(*unload, metric, tiles, tiles, dimensions_);
    }
    unload->end();
    const session::Stopwatch unloading;
    device_.submit(*unload);
    device_.wait();  // the source is free for the next block
    times.compute_milliseconds += unloading.milliseconds();
    for (std::uint64_t query = 0; query < queries.rows;) {
      const std::uint64_t query_count =
          pace_.take(queries.rows - query, query_block, static_cast<double>(count) * dimensions_);
      const double before = times.compute_milliseconds;
      told.begin(first + count * (query + query_count) / queries.rows);
      BlockSearch& now = prepared(count, query_count);
      copy_rows(queries.slice(query, query_count), static_cast<float*>(now.round->queries()));
      if (!allowed.empty())
        std::copy_n(allowed.data() + first / 32, filter_words(count), static_cast<std::uint32_t*>(now.round->filter()));
      now.round->start();
      if (query == 0 && next < rows_) source_->load(next, std::min(block_rows_, rows_ - next), times);
      now.round->finish(times);
      const session::Stopwatch reading;
      merged.add({now.round->indices(), now.round->distances(), query_count, k, first}, result, query);
      times.readback_milliseconds += reading.milliseconds();
      pace_.took(times.compute_milliseconds - before);
      query += query_count;
    }
    told.reached(next);
  }

  if (!ordered) finish(result, metric);
}

std::unique_ptr<BlockedScan> streamed_scan(Device& device, const HostRows& rows, const IndexOptions& options,
                                           std::uint64_t memory_limit) {
  const MatrixView<float>& database = rows.all;
  const std::uint64_t tile_bytes = tile_rows * database.columns * 4;
  const std::uint64_t tiles = std::min(memory_limit / 2, device.capabilities().max_allocation_bytes) / tile_bytes;
  if (tiles == 0)
    throw Error(ErrorCode::invalid_argument, "memory_limit",
                fmt::format("{} was given; a tile of 128 rows is held twice, which takes {} bytes", memory_limit,
                            2 * tile_bytes));
  const std::uint64_t block_rows = tiles_of(database.rows, tiles) * tile_rows;
  return std::make_unique<BlockedScan>(device, std::make_unique<HostBlocks>(device, rows, block_rows), database.rows,
                                       static_cast<std::uint32_t>(database.columns), block_rows, options);
}

std::unique_ptr<BlockedScan> stored_scan(Device& device, std::uint64_t rows, std::uint32_t dimensions,
                                         const StoredBlocks::Fill& fill, const IndexOptions& options,
                                         const Progress& progress) {
  const std::uint64_t tile_bytes = std::uint64_t{tile_rows} * dimensions * 4;
  const std::uint64_t tiles = std::min(options.scratch_limit, device.capabilities().max_allocation_bytes) / tile_bytes;
  const std::uint64_t block_rows = tiles_of(rows, std::max<std::uint64_t>(tiles, 1)) * tile_rows;
  auto stored = std::make_unique<StoredBlocks>(device, rows, dimensions, options.storage, fill, progress);
  return std::make_unique<BlockedScan>(device, std::move(stored), rows, dimensions, block_rows, options);
}

}  // namespace proxel::index
