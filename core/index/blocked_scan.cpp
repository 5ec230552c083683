#include "index/blocked_scan.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "index/compute_times.hpp"
#include "index/queries_at_once.hpp"
#include "index/told.hpp"
#include "index/upload.hpp"
#include "passes/decoded_distance.hpp"
#include "proxel/passes.hpp"
#include "search/check.hpp"
#include "search/decode.hpp"

namespace proxel::index {

using passes::tile_rows;

namespace {

// The tiles that rows take, at most `most` of them.
std::uint64_t tiles_of(std::uint64_t rows, std::uint64_t most) {
  return std::min(most, search::divide_up<std::uint64_t>(rows, tile_rows));
}

// Merges a block's answer into the nearest keys so far, both ascending.
void merge(std::uint64_t* kept, std::uint64_t k, const std::uint32_t* indices,
           const float* distances, std::uint64_t first_index, bool largest_first,
           std::vector<std::uint64_t>& room) {
  room.assign(kept, kept + k);
  std::uint64_t taken = 0;
  std::uint64_t next = 0;
  for (std::uint64_t rank = 0; rank < k; ++rank) {
    const std::uint64_t candidate =
        indices[next] == no_neighbor
            ? passes::no_row_key
            : passes::make_key(passes::distance_key(distances[next], largest_first),
                               static_cast<std::uint32_t>(first_index + indices[next]));
    if (candidate < room[taken]) {
      kept[rank] = candidate;
      ++next;
    } else {
      kept[rank] = room[taken++];
    }
  }
}

}  // namespace

// The search of one block of rows for one block of queries, recorded once.
class BlockedScan::Round {
 public:
  Round(const BlockedScan& scan, std::uint64_t rows, const SearchDescription& wanted)
      : scan_(scan), description_(wanted),
        segment_{tiled_rows(scan.tiles_->address(), rows, scan.dimensions_), 0} {
    description_.rows = rows;
    // The root and the complement are taken once, of what is left at the end.
    description_.metric = accumulated(wanted.metric);
    Device& device = scan.device_;
    plan_.emplace(ScanPlan::make(device, description_, {&segment_, 1}));
    const std::uint64_t slots = std::uint64_t{wanted.queries} * wanted.k;
    const std::uint64_t query_bytes = std::uint64_t{wanted.queries} * wanted.dimensions * 4;
    incoming_ = device.create_buffer(query_bytes, MemoryKind::upload);
    queries_ = device.create_buffer(query_bytes, MemoryKind::device);
    scratch_ = device.create_buffer(plan_->scratch_bytes(), MemoryKind::device);
    indices_ = device.create_buffer(slots * 4, MemoryKind::readback);
    distances_ = device.create_buffer(slots * 4, MemoryKind::readback);
    commands_ = device.create_commands(scan.options_.timing);
    commands_->begin();
    commands_->copy(*incoming_, *queries_);
    commands_->barrier();
    if (normalizes(wanted.metric)) {
      const passes::Rows rows_of_queries =
          row_major_rows(queries_->address(), wanted.queries, wanted.dimensions);
      record_normalize(*commands_, wanted.metric, rows_of_queries, rows_of_queries,
                       wanted.dimensions);
      commands_->barrier();
    }
    plan_->record(*commands_, {&segment_, 1}, {*queries_, *scratch_, *indices_, *distances_});
    commands_->end();
  }

  bool serves(std::uint64_t rows, std::uint64_t queries) const {
    return description_.rows == rows && description_.queries == queries;
  }
  void start(const MatrixView<float>& queries) {
    copy_rows(queries, static_cast<float*>(incoming_->mapped()));
    scan_.device_.submit(*commands_);
  }
  /// Waits, and merges what was found into the keys of the same queries.
  void finish(std::uint64_t first_index, std::uint64_t* keys, SearchTimes& times) {
    const Stopwatch waiting;
    scan_.device_.wait();
    const bool timed = scan_.device_.capabilities().timestamps &&
                       scan_.options_.timing != Timing::none;
    add_compute_times(times, *commands_, timed, waiting);
    const Stopwatch reading;
    std::vector<std::uint64_t> room;
    const std::uint64_t k = description_.k;
    for (std::uint64_t query = 0; query < description_.queries; ++query)
      merge(keys + query * k, k, static_cast<const std::uint32_t*>(indices_->mapped()) + query * k,
            static_cast<const float*>(distances_->mapped()) + query * k, first_index,
            largest_first(description_.metric), room);
    times.readback_milliseconds += reading.milliseconds();
  }

 private:
  const BlockedScan& scan_;
  SearchDescription description_;
  RowsSegment segment_;
  std::optional<ScanPlan> plan_;
  std::unique_ptr<Buffer> incoming_, queries_, scratch_, indices_, distances_;
  std::unique_ptr<Commands> commands_;
};

BlockedScan::BlockedScan(Device& device, std::unique_ptr<BlockSource> source, std::uint64_t rows,
                         std::uint32_t dimensions, std::uint64_t block_rows,
                         const IndexOptions& options)
    : device_(device), options_(options), rows_(rows), dimensions_(dimensions),
      block_rows_(block_rows),
      tiles_(device.create_buffer(block_rows * dimensions * 4, MemoryKind::device)),
      source_(std::move(source)) {}

void BlockedScan::search(const MatrixView<float>& queries, std::uint64_t k, Metric metric,
                          const Progress& progress, SearchTimes& times, Neighbors& result) {
  if (queries.rows == 0) return;
  SearchDescription wanted;
  wanted.metric = metric;
  wanted.dimensions = dimensions_;
  wanted.k = k;
  wanted.scratch_limit = options_.scratch_limit;
  const std::uint64_t per_query = (dimensions_ + 2 * k) * 4;
  const std::uint64_t query_block =
      std::min(queries_at_once(per_query), queries.rows);

  std::vector<std::uint64_t> keys(queries.rows * k, passes::no_row_key);
  std::unique_ptr<Round> round;
  const auto prepared = [&](std::uint64_t rows, std::uint64_t count) -> Round& {
    if (!round || !round->serves(rows, count)) {
      round.reset();  // its memory may be what the next needs
      wanted.queries = static_cast<std::uint32_t>(count);
      round = std::make_unique<Round>(*this, rows, wanted);
    }
    return *round;
  };

  Told told(progress, rows_);
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
    const Stopwatch unloading;
    device_.submit(*unload);
    device_.wait();  // the source is free for the next block
    times.compute_milliseconds += unloading.milliseconds();
    for (std::uint64_t query = 0; query < queries.rows;) {
      const std::uint64_t query_count =
          pace_.take(queries.rows - query, query_block, static_cast<double>(count) * dimensions_);
      const double before = times.compute_milliseconds;
      told.begin(first + count * (query + query_count) / queries.rows);
      Round& now = prepared(count, query_count);
      now.start(queries.slice(query, query_count));
      if (query == 0 && next < rows_)
        source_->load(next, std::min(block_rows_, rows_ - next), times);
      now.finish(first, keys.data() + query * k, times);
      pace_.took(times.compute_milliseconds - before);
      query += query_count;
    }
    told.reached(next);
  }

  const bool largest = largest_first(accumulated(metric));
  for (std::size_t i = 0; i < keys.size(); ++i) {
    result.indices.data()[i] = passes::index_of(keys[i]);
    result.distances.data()[i] =
        passes::decoded_distance(keys[i], largest, search::finish_of(metric));
  }
}

std::unique_ptr<BlockedScan> streamed_scan(Device& device, const MatrixView<float>& database,
                                           const IndexOptions& options,
                                           std::uint64_t memory_limit) {
  const std::uint64_t tile_bytes = tile_rows * database.columns * 4;
  const std::uint64_t tiles =
      std::min(memory_limit / 2, device.capabilities().max_allocation_bytes) / tile_bytes;
  if (tiles == 0)
    throw Error(ErrorCode::invalid_argument, "memory_limit",
                fmt::format("{} was given; a tile of 128 rows is held twice, which takes {} bytes",
                            memory_limit, 2 * tile_bytes));
  const std::uint64_t block_rows = tiles_of(database.rows, tiles) * tile_rows;
  return std::make_unique<BlockedScan>(
      device, std::make_unique<HostBlocks>(device, database, block_rows), database.rows,
      static_cast<std::uint32_t>(database.columns), block_rows, options);
}

std::unique_ptr<BlockedScan> stored_scan(Device& device, std::uint64_t rows,
                                         std::uint32_t dimensions, const StoredBlocks::Fill& fill,
                                         const IndexOptions& options, const Progress& progress) {
  const std::uint64_t tile_bytes = std::uint64_t{tile_rows} * dimensions * 4;
  const std::uint64_t tiles =
      std::min(options.scratch_limit, device.capabilities().max_allocation_bytes) / tile_bytes;
  const std::uint64_t block_rows = tiles_of(rows, std::max<std::uint64_t>(tiles, 1)) * tile_rows;
  auto stored =
      std::make_unique<StoredBlocks>(device, rows, dimensions, options.storage, fill, progress);
  return std::make_unique<BlockedScan>(device, std::move(stored), rows, dimensions, block_rows,
                                       options);
}

}  // namespace proxel::index
