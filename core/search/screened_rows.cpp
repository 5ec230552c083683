#include <algorithm>

#include <fmt/format.h>

#include "proxel/passes/screen_codes.h"
#include "proxel/passes/screen_integers.h"
#include "proxel/passes/screen_origin.h"
#include "proxel/passes/screen_pack.h"
#include "proxel/passes/screen_sample.h"
#include "proxel/passes/unpack_rows.h"
#include "proxel/screened.hpp"
#include "search/bindings.hpp"
#include "search/rehearsal.hpp"
#include "search/screened_plan.hpp"

namespace proxel {

using namespace search;
using passes::tile_rows;

namespace {

// The bound's slack grows with the dimensions; past this it would discard little.
constexpr std::uint32_t most_screened_dimensions = 16384;
constexpr std::uint64_t row_bounds_bytes = 16;

std::uint64_t tiles_of(std::uint64_t rows) { return divide_up<std::uint64_t>(rows, tile_rows); }

std::uint32_t words_of(std::uint32_t dimensions) { return divide_up(dimensions, 4u); }

std::uint32_t depth_of(std::uint32_t dimensions) {
  return dimensions <= most_split_dimensions ? 3 * dimensions : dimensions;
}

std::uint32_t blocks_of(std::uint32_t dimensions, ScreenOperand operand) {
  return holds_integers(operand) ? passes::integer_blocks(dimensions)
                                 : divide_up(depth_of(dimensions), passes::screen_block_depth);
}

std::uint64_t packed_bytes(std::uint64_t rows, std::uint32_t dimensions, ScreenOperand operand) {
  const std::uint64_t tile_bytes = operand == ScreenOperand::codes
                                       ? std::uint64_t{tile_rows} * words_of(dimensions) * 4
                                       : std::uint64_t{blocks_of(dimensions, operand)} * passes::screen_block_bytes;
  return tiles_of(rows) * tile_bytes;
}

constexpr std::uint64_t least_sample_share = 16;
// More serve no better.
constexpr std::uint64_t most_samples = std::uint64_t{1} << 20;

// One row in so many is in the sample; 0: there is none.
std::uint32_t sample_share(std::uint64_t rows, ScreenOperand operand) {
  if (operand == ScreenOperand::codes || rows < ScreenedRows::fewest_sampled_rows) return 0;
  return static_cast<std::uint32_t>(std::max(least_sample_share, divide_up(rows, most_samples)));
}

std::uint64_t sample_tiles(std::uint64_t rows, ScreenOperand operand) {
  const std::uint32_t share = sample_share(rows, operand);
  return share == 0 ? 0 : tiles_of(rows / share);
}

// As many tiles as any number of rows up to `capacity` has.
std::uint64_t most_sample_tiles(std::uint64_t capacity, ScreenOperand operand) {
  return sample_share(capacity, operand) == 0 ? 0 : tiles_of(std::min(capacity / least_sample_share, most_samples));
}

// From so many dimensions on rows of the copy begin a multiple of four values apart, as reading them one by one takes twice as long.
constexpr std::uint32_t fewest_padded_dimensions = 16;

std::uint32_t stride_of(std::uint32_t dimensions) {
  return dimensions < fewest_padded_dimensions ? dimensions : divide_up(dimensions, 4u) * 4;
}

std::uint64_t tile_bytes(std::uint32_t dimensions, ScreenOperand operand) {
  return packed_bytes(tile_rows, dimensions, operand) + tile_rows * 4 + row_bounds_bytes;
}

Pass pack_pass(const passes::ScreenPackParameters& pack, Metric metric, bool split, ScreenOperand operand,
               std::uint32_t tiles) {
  if (operand == ScreenOperand::halves) return passes::make_screen_pack(pack, metric, false, split, tiles);
  if (holds_integers(operand)) return passes::make_screen_integers(integers_of(pack, operand), metric, false, tiles);
  return passes::make_screen_codes(codes_of(pack), metric, false, tiles);
}

}  // namespace

passes::ScreenIntegersParameters search::integers_of(const passes::ScreenPackParameters& pack, ScreenOperand operand) {
  passes::ScreenIntegersParameters integers{};
  integers.rows = pack.rows;
  integers.packed = pack.packed;
  integers.biases = pack.biases;
  integers.bounds = pack.bounds;
  integers.zeroed = pack.zeroed;
  integers.zeroed_words = pack.zeroed_words;
  integers.others = pack.frame;
  integers.dimensions = pack.dimensions;
  integers.first_tile = pack.first_tile;
  integers.origin = operand == ScreenOperand::uint8 ? 128 : 0;
  return integers;
}

passes::ScreenCodesParameters search::codes_of(const passes::ScreenPackParameters& pack) {
  passes::ScreenCodesParameters codes{};
  codes.rows = pack.rows;
  codes.frame = pack.frame;
  codes.codes = pack.packed;
  codes.biases = pack.biases;
  codes.bounds = pack.bounds;
  codes.zeroed = pack.zeroed;
  codes.zeroed_words = pack.zeroed_words;
  codes.dimensions = pack.dimensions;
  codes.first_tile = pack.first_tile;
  return codes;
}

std::string_view to_string(ScreenOperand operand) {
  switch (operand) {
    case ScreenOperand::codes:
      return "8-bit codes";
    case ScreenOperand::int8:
    case ScreenOperand::uint8:
      return "8-bit integers";
    default:
      return "half precision";
  }
}

Support ScreenedRows::supports(const Device& device, Metric metric, std::uint64_t rows, std::uint32_t dimensions,
                               ScreenOperand operand) {
  require_metric(metric);
  const Metric kind = accumulated(metric);
  if (operand != ScreenOperand::codes && kind != Metric::l2sq && kind != Metric::ip)
    return Support::no(Limit::metric,
                       fmt::format("screening serves products and squared differences, not {}", to_string(metric)));
  if (dimensions > most_screened_dimensions)
    return Support::no(Limit::dimensions, fmt::format("screening serves up to {} dimensions, {} were given",
                                                      most_screened_dimensions, dimensions));
  if (holds_integers(operand) && normalizes(metric))
    return Support::no(Limit::metric, fmt::format("integers serve metrics that do not normalise rows, {} was given",
                                                  to_string(metric)));
  if (holds_integers(operand) && dimensions > passes::screen_most_integers)
    return Support::no(Limit::dimensions, fmt::format("integers serve up to {} dimensions, {} were given",
                                                      passes::screen_most_integers, dimensions));
  const std::uint64_t bytes = packed_bytes(rows, dimensions, operand);
  if (bytes > device.capabilities().max_allocation_bytes)
    return Support::no(fmt::format("the copy in {} takes {} bytes, the device's largest buffer {}", to_string(operand),
                                   bytes, device.capabilities().max_allocation_bytes));
  passes::ScreenPackParameters pack{};
  pack.rows.count = 1;
  pack.dimensions = dimensions;
  return device.supports(pack_pass(pack, kind, false, operand, 1));
}

ScreenedRows::ScreenedRows(Device& device, Metric metric, std::uint64_t rows, std::uint32_t dimensions,
                           bool row_major_copy, std::uint64_t capacity, ScreenOperand operand)
    : metric_(accumulated(metric)),
      operand_(operand),
      rows_(rows),
      capacity_(std::max(rows, capacity)),
      dimensions_(dimensions),
      split_(operand == ScreenOperand::halves && dimensions <= most_split_dimensions) {
  if (const Support support = supports(device, metric, capacity_, dimensions, operand); !support)
    throw Error(ErrorCode::unsupported, "screening", support.reason);
  const std::uint64_t tiles = tiles_of(capacity_);
  const auto memory = std::make_shared<Memory>(device);
  memory->frame = device.create_buffer((passes::screen_frame_origin + dimensions) * 4, MemoryKind::device);
  memory->packed = device.create_buffer(packed_bytes(capacity_, dimensions, operand), MemoryKind::device);
  memory->biases = device.create_buffer(tiles * tile_rows * 4, MemoryKind::device);
  memory->bounds = device.create_buffer(tiles * row_bounds_bytes, MemoryKind::device);
  if (row_major_copy && !holds_integers(operand))
    memory->row_major = device.create_buffer(capacity_ * stride_of(dimensions) * 4, MemoryKind::device);
  if (const std::uint64_t sampled = most_sample_tiles(capacity_, operand); sampled != 0)
    memory->sample = device.create_buffer(sampled * tile_bytes(dimensions, operand), MemoryKind::device);
  memory_ = memory;
  rehearse(device, [&](Recording& rehearsal) {
    record(rehearsal, tiled_rows(RehearsalBuffer(0).address(), rows, dimensions));
  });
}

void ScreenedRows::set_rows(std::uint64_t rows) {
  memory();
  require_range("rows", rows, 1, capacity_);
  rows_ = rows;
}

const ScreenedRows::Memory& ScreenedRows::memory() const {
  if (!memory_)
    throw Error(ErrorCode::invalid_argument, "screened rows",
                "are empty: they were never made, or have been moved from");
  return *memory_;
}

std::uint32_t ScreenedRows::depth_blocks() const { return blocks_of(dimensions_, operand_); }
std::uint32_t ScreenedRows::words() const { return words_of(dimensions_); }
std::uint32_t ScreenedRows::row_major_stride() const { return stride_of(dimensions_); }

std::uint64_t ScreenedRows::bytes(std::uint64_t rows, std::uint32_t dimensions, bool row_major_copy,
                                  ScreenOperand operand) {
  return (tiles_of(rows) + most_sample_tiles(rows, operand)) * tile_bytes(dimensions, operand) +
         (row_major_copy && !holds_integers(operand) ? rows * stride_of(dimensions) * 4 : 0);
}

void ScreenedRows::record(Recording& recording, const passes::Rows& rows, std::uint64_t first_row) const {
  Bindings bindings(recording, device());
  bindings.reads(rows, rows_, dimensions_);
  require_range("first row", first_row, 0, rows_ - 1);
  recording.push_label("screened rows");
  const auto first_tile = static_cast<std::uint32_t>(first_row / tile_rows);
  if (first_tile == 0 && holds_integers(operand_)) {
    recording.fill(others(), 0);
    recording.barrier();
  } else if (first_tile == 0) {
    record_origin(recording, rows);
  }

  passes::ScreenPackParameters pack{};
  pack.rows = rows;
  pack.frame = frame().address();
  pack.packed = packed().address();
  pack.biases = biases().address();
  pack.bounds = bounds().address();
  pack.dimensions = dimensions_;
  pack.depth_blocks = depth_blocks();
  pack.first_tile = first_tile;
  record_tiles(recording, pack, tiles_of(rows_));
  if (row_major()) {
    passes::UnpackRowsParameters unpack{};
    unpack.rows = rows;
    unpack.first_row = first_tile * tile_rows;
    unpack.destination = row_major()->address() + std::uint64_t{unpack.first_row} * row_major_stride() * 4;
    unpack.row_stride = row_major_stride();
    unpack.dimensions = dimensions_;
    unpack.row_count = rows.count - unpack.first_row;
    recording.record(passes::make_unpack_rows(unpack));
  }
  recording.barrier();
  record_sample(recording);
  recording.pop_label();
}

ScreenedRows::Sample ScreenedRows::sample() const {
  const std::uint64_t tiles = sample_tiles(rows_, operand_);
  if (tiles == 0) return {};
  Sample sample{.packed = memory().sample->address(),
                .share = sample_share(rows_, operand_),
                .tiles = static_cast<std::uint32_t>(tiles)};
  sample.biases = sample.packed + packed_bytes(tiles * tile_rows, dimensions_, operand_);
  sample.bounds = sample.biases + tiles * tile_rows * 4;
  return sample;
}

// Searches take nothing of it on trust (docs/proofs/screened.md, "Estimated thresholds"): where rows change some at a time it may be of
// those before.
void ScreenedRows::record_sample(Recording& recording) const {
  const Sample to = sample();
  if (to.tiles == 0) return;
  passes::ScreenSampleParameters parameters{};
  parameters.rows = packed().address();
  parameters.biases = biases().address();
  parameters.bounds = bounds().address();
  parameters.sampled = to.packed;
  parameters.sampled_biases = to.biases;
  parameters.sampled_bounds = to.bounds;
  parameters.depth_blocks = depth_blocks();
  parameters.row_count = static_cast<std::uint32_t>(rows_);
  parameters.share = to.share;
  parameters.nothing = nothing_of(operand_);
  recording.record(passes::make_screen_sample(parameters));
  recording.barrier();
}

void ScreenedRows::record_origin(Recording& recording, const passes::Rows& rows) const {
  passes::ScreenOriginParameters origin{};
  origin.rows = rows;
  origin.frame = frame().address();
  origin.dimensions = dimensions_;
  recording.record(passes::make_screen_origin(origin, true));
  recording.barrier();
}

void ScreenedRows::record_frame(Recording& recording, const passes::Rows& sample) const {
  if (operand_ != ScreenOperand::codes)
    throw Error(ErrorCode::invalid_argument, "screened rows", "are no codes, whose frame comes from a sample");
  Bindings bindings(recording, device());
  bindings.reads(sample, sample.count, dimensions_);
  recording.push_label("screened rows");
  record_origin(recording, sample);
  recording.pop_label();
}

void ScreenedRows::record_some(Recording& recording, const passes::Rows& rows, std::uint64_t first_row) const {
  if (operand_ == ScreenOperand::halves)
    throw Error(ErrorCode::invalid_argument, "screened rows",
                "are neither integers nor codes, of which some may be packed");
  if (first_row % tile_rows != 0 || first_row + rows.count > rows_)
    throw Error(ErrorCode::invalid_argument, "first row",
                fmt::format("{} was given, for {} of {} rows", first_row, rows.count, rows_));
  Bindings bindings(recording, device());
  bindings.reads(rows, rows.count, dimensions_);
  recording.push_label("screened rows");
  if (first_row == 0 && holds_integers(operand_)) {
    recording.fill(others(), 0);
    recording.barrier();
  }
  const std::uint64_t tiles_before = first_row / tile_rows;
  passes::ScreenPackParameters pack{};
  pack.rows = rows;
  pack.frame = frame().address();
  pack.packed = packed().address() + packed_bytes(first_row, dimensions_, operand_);
  pack.biases = biases().address() + first_row * 4;
  pack.bounds = bounds().address() + tiles_before * row_bounds_bytes;
  pack.dimensions = dimensions_;
  pack.depth_blocks = depth_blocks();
  record_tiles(recording, pack, tiles_of(rows.count));
  recording.barrier();
  if (first_row + rows.count >= rows_) record_sample(recording);
  recording.pop_label();
}

void ScreenedRows::record_tiles(Recording& recording, passes::ScreenPackParameters pack, std::uint64_t tiles) const {
  for (std::uint64_t first = pack.first_tile; first < tiles; first += largest_grid_extent) {
    pack.first_tile = static_cast<std::uint32_t>(first);
    const std::uint64_t some = std::min<std::uint64_t>(largest_grid_extent, tiles - first);
    recording.record(pack_pass(pack, metric_, split_, operand_, static_cast<std::uint32_t>(some)));
  }
}

}  // namespace proxel
