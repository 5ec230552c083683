#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "passes/bvh_boxes.hpp"
#include "proxel/bvh.hpp"
#include "proxel/passes/bvh_axis.h"
#include "proxel/passes/bvh_codes.h"
#include "proxel/passes/bvh_leaves.h"
#include "proxel/passes/bvh_nodes.h"
#include "search/bindings.hpp"
#include "search/rehearsal.hpp"

namespace proxel {

using namespace search;
using passes::bvh_width;

namespace {

SelectionDescription sorting(std::uint64_t rows) {
  SelectionDescription description;
  description.columns = description.k = rows;
  return description;
}

std::uint64_t box_groups(std::uint64_t rows) { return passes::bvh_first_group(rows, passes::bvh_levels(rows)); }

std::uint64_t coordinate_bytes(std::uint64_t rows, std::uint32_t dimensions) {
  return passes::bvh_boxes(rows, 0) * bvh_width * dimensions * sizeof(float);
}

SelectionPlan make_sort(Device& device, std::uint64_t rows, std::uint32_t dimensions) {
  if (const Support support = BoxHierarchy::supports(device, rows, dimensions); !support)
    throw Error(ErrorCode::unsupported, "bounding volumes", support.reason);
  return SelectionPlan::make(device, sorting(rows));
}

// Places in the scratch memory: values of an axis and what sorting them gives,
// codes by row, the sorting's own.
struct Places {
  explicit Places(std::uint64_t rows) : part(align_scratch(rows * 4)) {}
  std::uint64_t part;
  std::uint64_t values() const { return 0; }
  std::uint64_t sorted() const { return part; }
  std::uint64_t order() const { return 2 * part; }
  std::uint64_t codes() const { return 3 * part; }
  std::uint64_t sorting() const { return 4 * part; }
};

}  // namespace

Support BoxHierarchy::supports(Device& device, std::uint64_t rows, std::uint32_t dimensions) {
  if (rows == 0 || dimensions == 0) return Support::no(Limit::rows, "there are no values");
  if (dimensions > most_dimensions)
    return Support::no(Limit::dimensions, fmt::format("boxes tell little apart in many dimensions: up to {} are "
                                                      "served, {} were given",
                                                      most_dimensions, dimensions));
  const std::uint64_t bytes = std::max(coordinate_bytes(rows, dimensions), scratch_bytes(rows));
  if (bytes > device.capabilities().max_allocation_bytes)
    return Support::no(fmt::format("ordering the rows takes {} bytes, the device's largest buffer {}", bytes,
                                   device.capabilities().max_allocation_bytes));
  return SelectionPlan::supports(device, sorting(rows));
}

BoxHierarchy::Bytes BoxHierarchy::bytes(std::uint64_t rows, std::uint32_t dimensions) {
  return {rows * 4, coordinate_bytes(rows, dimensions), box_groups(rows) * passes::bvh_group_bytes(dimensions)};
}

struct BoxHierarchy::State {
  const Device& device;
  std::uint64_t rows;
  std::uint32_t dimensions;
  SelectionPlan sort;
  std::unique_ptr<Buffer> order, coordinates, boxes;  // null where the memory is the caller's
  Memory memory;
  std::uint64_t scratch_bytes;

  State(Device& of, std::uint64_t row_count, std::uint32_t dimension_count)
      : device(of),
        rows(row_count),
        dimensions(dimension_count),
        sort(make_sort(of, row_count, dimension_count)),
        scratch_bytes(Places(rows).sorting() + align_scratch(sort.scratch_bytes())) {}

  void prepare(Device& on) const {
    RehearsalBuffer nowhere(UINT64_MAX);
    rehearse(on,
             [&](Recording& rehearsal) { write(rehearsal, tiled_rows(nowhere.address(), rows, dimensions), nowhere); });
  }
  void check(const Recording& recording, const passes::Rows& from, const BufferView& scratch) const;
  void write(Recording& recording, const passes::Rows& from, const BufferView& scratch) const;
};

BoxHierarchy::BoxHierarchy(Device& device, std::uint64_t rows, std::uint32_t dimensions) {
  const auto state = std::make_shared<State>(device, rows, dimensions);
  const Bytes wanted = bytes(rows, dimensions);
  state->order = device.create_buffer(wanted.order, MemoryKind::device);
  state->coordinates = device.create_buffer(wanted.coordinates, MemoryKind::device);
  state->boxes = device.create_buffer(wanted.boxes, MemoryKind::device);
  state->memory = {*state->order, *state->coordinates, *state->boxes};
  state->prepare(device);
  state_ = state;
}

BoxHierarchy::BoxHierarchy(Device& device, std::uint64_t rows, std::uint32_t dimensions, const Memory& memory) {
  const auto state = std::make_shared<State>(device, rows, dimensions);
  const Bytes wanted = bytes(rows, dimensions);
  require_buffer("order buffer", memory.order, wanted.order, 256);
  require_buffer("coordinates buffer", memory.coordinates, wanted.coordinates, 256);
  require_buffer("boxes buffer", memory.boxes, wanted.boxes, 256);
  state->memory = memory;
  state->prepare(device);
  state_ = state;
}

const BoxHierarchy::State& BoxHierarchy::state() const {
  if (!state_)
    throw Error(ErrorCode::invalid_argument, "bounding volumes",
                "are empty: they were never made, or have been moved from");
  return *state_;
}

std::uint64_t BoxHierarchy::scratch_bytes() const { return state().scratch_bytes; }
std::uint64_t BoxHierarchy::rows() const { return state().rows; }
std::uint32_t BoxHierarchy::dimensions() const { return state().dimensions; }
const BufferView& BoxHierarchy::order() const { return state().memory.order; }
const BufferView& BoxHierarchy::coordinates() const { return state().memory.coordinates; }
const BufferView& BoxHierarchy::boxes() const { return state().memory.boxes; }
const Device& BoxHierarchy::device() const { return state().device; }

void BoxHierarchy::record(Recording& recording, const passes::Rows& rows, const BufferView& scratch) const {
  state().check(recording, rows, scratch);
  state().write(recording, rows, scratch);
}

void BoxHierarchy::State::check(const Recording& recording, const passes::Rows& from, const BufferView& scratch) const {
  const Bytes wanted = bytes(rows, dimensions);
  Bindings bindings(recording, device);
  bindings.writes("scratch buffer", scratch, scratch_requirement(scratch_bytes));
  bindings.writes("order buffer", memory.order, {wanted.order, scratch_alignment, by_kernels});
  bindings.writes("coordinates buffer", memory.coordinates, {wanted.coordinates, scratch_alignment, by_kernels});
  bindings.writes("boxes buffer", memory.boxes, {wanted.boxes, scratch_alignment, by_kernels});
  bindings.reads(from, rows, dimensions);
}

void BoxHierarchy::State::write(Recording& recording, const passes::Rows& from, const BufferView& scratch) const {
  const Places places(rows);
  const auto count = static_cast<std::uint32_t>(rows);
  const auto part = [&](std::uint64_t offset) { return scratch.part(offset, rows * 4); };
  const auto record_sort = [&](std::uint64_t values, const BufferView& sorted_order) {
    recording.barrier();
    SelectionBuffers buffers;
    buffers.values = part(values);
    buffers.indices = sorted_order;
    buffers.selected = part(places.sorted());
    buffers.scratch = scratch.part(places.sorting(), align_scratch(sort.scratch_bytes()));
    sort.record(recording, buffers);
    recording.barrier();
  };

  recording.push_label("bounding volumes");
  const std::uint32_t bits = passes::bvh_rank_bits(dimensions);
  const auto rank_bits = static_cast<std::uint32_t>(std::bit_width(rows - 1));
  for (std::uint32_t dimension = 0; dimension < dimensions; ++dimension) {
    passes::BvhAxisParameters axis{};
    axis.rows = from;
    axis.values = scratch.address() + places.values();
    axis.dimension = dimension;
    recording.record(passes::make_bvh_axis(axis));
    record_sort(places.values(), part(places.order()));
    passes::BvhCodesParameters codes{};
    codes.order = scratch.address() + places.order();
    codes.codes = scratch.address() + places.codes();
    codes.row_count = count;
    codes.axis = dimension;
    codes.dimensions = dimensions;
    codes.shift = rank_bits > bits ? rank_bits - bits : 0;
    recording.record(passes::make_bvh_codes(codes));
  }
  record_sort(places.codes(), memory.order.part(0, rows * 4));

  passes::BvhLeavesParameters leaves{};
  leaves.rows = from;
  leaves.order = memory.order.address();
  leaves.coordinates = memory.coordinates.address();
  leaves.boxes = memory.boxes.address();
  leaves.dimensions = dimensions;
  recording.record(passes::make_bvh_leaves(leaves));
  const std::uint64_t group_bytes = passes::bvh_group_bytes(dimensions);
  for (std::uint32_t level = 1; level < passes::bvh_levels(rows); ++level) {
    recording.barrier();
    passes::BvhNodesParameters nodes{};
    nodes.children = memory.boxes.address() + passes::bvh_first_group(rows, level - 1) * group_bytes;
    nodes.boxes = memory.boxes.address() + passes::bvh_first_group(rows, level) * group_bytes;
    nodes.child_count = static_cast<std::uint32_t>(passes::bvh_boxes(rows, level - 1));
    nodes.dimensions = dimensions;
    recording.record(passes::make_bvh_nodes(nodes));
  }
  recording.barrier();
  recording.pop_label();
}

}  // namespace proxel
