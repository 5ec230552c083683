#include "proxel/index.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <optional>

#include <fmt/format.h>

#include "proxel/passes.hpp"
#include "proxel/search.hpp"
#include "search/check.hpp"

namespace proxel {

using search::divide_up;

std::string_view to_string(Method method) {
  switch (method) {
    case Method::automatic: return "auto";
    case Method::texel: return "texel";
    case Method::scan: return "scan";
  }
  return "unknown";
}

Method method_from_string(std::string_view name) {
  for (const Method method : {Method::automatic, Method::texel, Method::scan})
    if (to_string(method) == name) return method;
  throw Error(ErrorCode::invalid_argument, "method",
              fmt::format("'{}' was given; auto, texel and scan are allowed", name));
}

namespace {

constexpr std::uint64_t staging_bytes = std::uint64_t{32} << 20;
// Queries and results that are on the device at once.
constexpr std::uint64_t transfer_bytes = std::uint64_t{64} << 20;

class Stopwatch {
 public:
  double milliseconds() const {
    return std::chrono::duration<double, std::milli>(Clock::now() - start_).count();
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
};

void copy_rows(const MatrixView<float>& view, float* to) {
  if (view.column_stride == 1 && view.row_stride == view.columns) {
    std::memcpy(to, view.data, view.rows * view.columns * sizeof(float));
    return;
  }
  for (std::uint64_t row = 0; row < view.rows; ++row)
    for (std::uint64_t column = 0; column < view.columns; ++column)
      *to++ = view(row, column);
}

}  // namespace

struct Index::Implementation {
  Device& device;
  IndexOptions options;
  Method method = Method::scan;
  std::uint64_t rows = 0;
  std::uint32_t dimensions = 0;
  double build_milliseconds = 0;
  SearchTimes times;

  // The scan's database, in as many buffers as the device's largest allocation asks for.
  std::vector<std::unique_ptr<Buffer>> tiles;
  std::vector<RowsSegment> segments;
  std::optional<TexelDatabase> texels;

  // What the latest search used, kept for the next of the same shape.
  struct Prepared {
    SearchDescription description;
    std::optional<ScanPlan> scan;
    std::optional<TexelPlan> texel;
    std::unique_ptr<Buffer> incoming, queries, scratch, indices, distances;
    std::unique_ptr<Commands> commands;
  };
  std::optional<Prepared> prepared;

  Implementation(Device& on, const IndexOptions& with) : device(on), options(with) {}

  TexelPlan::Options texel_options() const {
    return {options.dimensions_per_pass, options.reductions_per_pass};
  }
  void create_tiles();
  void upload(const MatrixView<float>& database, const Progress& progress);
  // Records how rows first … first + count - 1 reach their place from `source`.
  void record_pack(Recording& recording, const BufferView& source, std::uint64_t first,
                   std::uint32_t count) const;
  // The end of the run of rows, starting at `first`, that record_pack takes at once.
  std::uint64_t pack_end(std::uint64_t first) const;
  Prepared& prepare(std::uint32_t queries, std::uint64_t k, Metric metric);
  void search_block(const MatrixView<float>& queries, std::uint64_t k, Metric metric,
                    std::uint32_t* indices, float* distances);
};

void Index::Implementation::create_tiles() {
  const std::uint64_t tile_bytes = std::uint64_t{passes::tile_rows} * dimensions * 4;
  const std::uint64_t tiles_at_most = device.capabilities().max_allocation_bytes / tile_bytes;
  if (tiles_at_most == 0)
    throw Error(ErrorCode::unsupported, device.info().id,
                fmt::format("one tile of 128 rows takes {} bytes, its largest buffer {}",
                            tile_bytes, device.capabilities().max_allocation_bytes));
  const std::uint64_t rows_at_most = tiles_at_most * passes::tile_rows;
  for (std::uint64_t first = 0; first < rows; first += rows_at_most) {
    const std::uint64_t count = std::min(rows_at_most, rows - first);
    tiles.push_back(device.create_buffer(
        divide_up<std::uint64_t>(count, passes::tile_rows) * tile_bytes, MemoryKind::device));
    segments.push_back({tiled_rows(tiles.back()->address(), count, dimensions), first});
  }
}

std::uint64_t Index::Implementation::pack_end(std::uint64_t first) const {
  if (texels) {
    const std::uint64_t per_block = texels->rows_per_block();
    return std::min(rows, (first / per_block + 1) * per_block);
  }
  for (const RowsSegment& segment : segments)
    if (first < segment.first_index + segment.rows.count)
      return segment.first_index + segment.rows.count;
  return rows;
}

void Index::Implementation::record_pack(Recording& recording, const BufferView& source,
                                        std::uint64_t first, std::uint32_t count) const {
  if (texels) {
    texels->record_pack(recording, source, first, count);
    return;
  }
  const auto segment =
      std::find_if(segments.begin(), segments.end(), [&](const RowsSegment& candidate) {
        return first < candidate.first_index + candidate.rows.count;
      });
  passes::PackTilesParameters parameters{};
  parameters.rows = segment->rows;
  parameters.source = source.address();
  parameters.dimensions = dimensions;
  parameters.first_row = static_cast<std::uint32_t>(first - segment->first_index);
  parameters.source_rows = count;
  recording.record(passes::make_pack_tiles(parameters));
}

void Index::Implementation::upload(const MatrixView<float>& database, const Progress& progress) {
  // Pieces start at whole tiles, which are whole texels as well.
  const std::uint64_t row_bytes = std::uint64_t{dimensions} * 4;
  const std::uint64_t piece_rows =
      std::clamp<std::uint64_t>(staging_bytes / row_bytes / passes::tile_rows, 1,
                                divide_up<std::uint64_t>(rows, passes::tile_rows)) *
      passes::tile_rows;
  struct Slot {
    std::unique_ptr<Buffer> staging;
    std::unique_ptr<Commands> commands;
  };
  std::array<Slot, 2> slots;
  for (Slot& slot : slots) {
    slot.staging = device.create_buffer(std::min(piece_rows, rows) * row_bytes, MemoryKind::upload);
    slot.commands = device.create_commands(Timing::none);
  }
  // One slot is filled by the host while the device packs the other.
  std::size_t turn = 0;
  for (std::uint64_t first = 0; first < rows; turn ^= 1) {
    const std::uint64_t count = std::min(piece_rows, pack_end(first) - first);
    Slot& slot = slots[turn];
    copy_rows(database.slice(first, count), static_cast<float*>(slot.staging->mapped()));
    slot.commands->begin();
    record_pack(*slot.commands, BufferView(*slot.staging, 0, count * row_bytes), first,
                static_cast<std::uint32_t>(count));
    slot.commands->end();
    device.wait();
    device.submit(*slot.commands);
    first += count;
    if (progress) progress(first, rows);
  }
  device.wait();
}

Index::Index(Device& device, MatrixView<float> database, const IndexOptions& options,
             const Progress& progress)
    : implementation_(std::make_unique<Implementation>(device, options)) {
  const Stopwatch stopwatch;
  Implementation& self = *implementation_;
  if (!database.data && database.rows != 0)
    throw Error(ErrorCode::invalid_argument, "database", "is a null pointer");
  SearchDescription description;
  description.rows = database.rows;
  description.dimensions = static_cast<std::uint32_t>(
      std::min<std::uint64_t>(database.columns, UINT32_MAX));
  description.queries = 1;
  description.scratch_limit = options.scratch_limit;
  search::check(description);
  self.rows = database.rows;
  self.dimensions = description.dimensions;
  self.method = options.method == Method::automatic ? Method::scan : options.method;
  if (self.method == Method::texel) {
    TexelPlan::check(self.texel_options());
    self.texels.emplace(device, self.rows, self.dimensions, options.block_rows);
  } else {
    self.create_tiles();
  }
  self.upload(database, progress);
  self.build_milliseconds = stopwatch.milliseconds();
}

Index::~Index() = default;
Index::Index(Index&&) noexcept = default;
Index& Index::operator=(Index&&) noexcept = default;

Index::Implementation::Prepared& Index::Implementation::prepare(std::uint32_t queries,
                                                                std::uint64_t k, Metric metric) {
  if (prepared && prepared->description.queries == queries && prepared->description.k == k &&
      prepared->description.metric == metric)
    return *prepared;
  prepared.reset();

  Prepared fresh;
  fresh.description = {metric, rows, dimensions, queries, k, options.scratch_limit};
  std::uint64_t scratch_bytes = 0;
  if (method == Method::texel) {
    fresh.texel.emplace(TexelPlan::make(device, fresh.description, *texels,
                                        texel_options()));
    scratch_bytes = fresh.texel->scratch_bytes();
  } else {
    fresh.scan.emplace(ScanPlan::make(device, fresh.description, segments));
    scratch_bytes = fresh.scan->scratch_bytes();
  }
  const std::uint64_t slots = std::uint64_t{queries} * k;
  const std::uint64_t query_bytes = std::uint64_t{queries} * dimensions * 4;
  fresh.incoming = device.create_buffer(query_bytes, MemoryKind::upload);
  fresh.queries = device.create_buffer(query_bytes, MemoryKind::device);
  fresh.scratch = device.create_buffer(scratch_bytes, MemoryKind::device);
  fresh.indices = device.create_buffer(slots * 4, MemoryKind::readback);
  fresh.distances = device.create_buffer(slots * 4, MemoryKind::readback);
  fresh.commands = device.create_commands(options.timing);

  const SearchBuffers buffers{*fresh.queries, *fresh.scratch, *fresh.indices, *fresh.distances};
  fresh.commands->begin();
  // Every workgroup reads the queries, so they move next to the rows first.
  fresh.commands->copy(*fresh.incoming, *fresh.queries);
  fresh.commands->barrier();
  if (fresh.texel)
    fresh.texel->record(*fresh.commands, *texels, buffers);
  else
    fresh.scan->record(*fresh.commands, segments, buffers);
  fresh.commands->end();
  prepared.emplace(std::move(fresh));
  return *prepared;
}

void Index::Implementation::search_block(const MatrixView<float>& queries, std::uint64_t k,
                                         Metric metric, std::uint32_t* indices,
                                         float* distances) {
  Prepared& ready = prepare(static_cast<std::uint32_t>(queries.rows), k, metric);

  const Stopwatch uploading;
  copy_rows(queries, static_cast<float*>(ready.incoming->mapped()));
  times.upload_milliseconds += uploading.milliseconds();

  const Stopwatch computing;
  device.submit(*ready.commands);
  device.wait();
  const bool timed = device.capabilities().timestamps && options.timing != Timing::none;
  times.compute_milliseconds += timed ? ready.commands->milliseconds() : computing.milliseconds();

  const Stopwatch reading;
  const std::uint64_t slots = queries.rows * k;
  std::memcpy(indices, ready.indices->mapped(), slots * sizeof(std::uint32_t));
  std::memcpy(distances, ready.distances->mapped(), slots * sizeof(float));
  times.readback_milliseconds += reading.milliseconds();
  auto pass_times = ready.commands->pass_times();
  std::move(pass_times.begin(), pass_times.end(), std::back_inserter(times.passes));
}

Neighbors Index::search(MatrixView<float> queries, std::uint64_t k, Metric metric,
                        const Progress& progress) {
  const Stopwatch stopwatch;
  Implementation& self = *implementation_;
  if (queries.rows != 0 && queries.columns != self.dimensions)
    throw Error(ErrorCode::invalid_argument, "queries",
                fmt::format("have {} dimensions, the database has {}", queries.columns,
                            self.dimensions));
  if (queries.rows != 0 && !queries.data)
    throw Error(ErrorCode::invalid_argument, "queries", "is a null pointer");
  if (const Support support = supports(metric, k); !support)
    throw Error(k == 0 || k > search::most_k ? ErrorCode::invalid_argument
                                             : ErrorCode::unsupported,
                "k", support.reason);

  self.times = {};
  Neighbors result;
  try {
    result = {Matrix<std::uint32_t>(queries.rows, k), Matrix<float>(queries.rows, k)};
  } catch (const std::exception&) {
    // bad_alloc, or length_error from a size that no allocation could have
    throw Error(ErrorCode::out_of_memory, "k",
                fmt::format("{} neighbours of {} queries do not fit the host's memory", k,
                            queries.rows));
  }
  const std::uint64_t per_query = (self.dimensions + 2 * k) * 4;
  const std::uint64_t block = std::clamp<std::uint64_t>(transfer_bytes / per_query, 1, 1u << 20);
  for (std::uint64_t first = 0; first < queries.rows; first += block) {
    const std::uint64_t count = std::min(block, queries.rows - first);
    self.search_block(queries.slice(first, count), k, metric, result.indices.data() + first * k,
                      result.distances.data() + first * k);
    if (progress) progress(first + count, queries.rows);
  }
  self.times.total_milliseconds = stopwatch.milliseconds();
  return result;
}

Support Index::supports(Metric, std::uint64_t k) const {
  if (k == 0 || k > search::most_k)
    return Support::no(fmt::format("{} was given, 1 to {} is allowed", k, search::most_k));
  if (implementation_->method == Method::texel) return texel_supports(k, implementation_->rows);
  return Support::yes();
}

std::uint64_t Index::rows() const { return implementation_->rows; }
std::uint32_t Index::dimensions() const { return implementation_->dimensions; }
Method Index::method() const { return implementation_->method; }
double Index::build_milliseconds() const { return implementation_->build_milliseconds; }
const SearchTimes& Index::times() const { return implementation_->times; }

}  // namespace proxel
