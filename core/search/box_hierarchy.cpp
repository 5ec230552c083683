#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "passes/bvh_boxes.hpp"
#include "proxel/bvh.hpp"
#include "search/check.hpp"
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

std::uint64_t box_groups(std::uint64_t rows) {
  return passes::bvh_first_group(rows, passes::bvh_levels(rows));
}

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
  if (rows == 0 || dimensions == 0) return Support::no("there are no values");
  if (dimensions > most_dimensions)
    return Support::no(fmt::format("boxes tell little apart in many dimensions: up to {} are "
                                   "served, {} were given", most_dimensions, dimensions));
  const std::uint64_t bytes =
      std::max(coordinate_bytes(rows, dimensions), scratch_bytes(rows));
  if (bytes > device.capabilities().max_allocation_bytes)
    return Support::no(fmt::format("ordering the rows takes {} bytes, the device's largest buffer {}",
                                   bytes, device.capabilities().max_allocation_bytes));
  return SelectionPlan::supports(device, sorting(rows));
}

BoxHierarchy::Bytes BoxHierarchy::bytes(std::uint64_t rows, std::uint32_t dimensions) {
  return {rows * 4, coordinate_bytes(rows, dimensions),
          box_groups(rows) * passes::bvh_group_bytes(dimensions)};
}

BoxHierarchy::BoxHierarchy(Device& device, std::uint64_t rows, std::uint32_t dimensions)
    : rows_(rows), dimensions_(dimensions), sort_(make_sort(device, rows, dimensions)) {
  const Bytes wanted = bytes(rows, dimensions);
  order_ = device.create_buffer(wanted.order, MemoryKind::device);
  coordinates_ = device.create_buffer(wanted.coordinates, MemoryKind::device);
  boxes_ = device.create_buffer(wanted.boxes, MemoryKind::device);
  memory_ = {*order_, *coordinates_, *boxes_};
  prepare(device);
}

BoxHierarchy::BoxHierarchy(Device& device, std::uint64_t rows, std::uint32_t dimensions,
                           const Memory& memory)
    : rows_(rows), dimensions_(dimensions), sort_(make_sort(device, rows, dimensions)),
      memory_(memory) {
  const Bytes wanted = bytes(rows, dimensions);
  require_buffer("order buffer", memory.order, wanted.order, 256);
  require_buffer("coordinates buffer", memory.coordinates, wanted.coordinates, 256);
  require_buffer("boxes buffer", memory.boxes, wanted.boxes, 256);
  prepare(device);
}

void BoxHierarchy::prepare(Device& device) {
  scratch_bytes_ = Places(rows_).sorting() + align_scratch(sort_.scratch_bytes());
  Rehearsal rehearsal(device);
  RehearsalBuffer nowhere(UINT64_MAX);
  record(rehearsal, tiled_rows(nowhere.address(), rows_, dimensions_), nowhere);
}

void BoxHierarchy::record(Recording& recording, const passes::Rows& rows,
                          const BufferView& scratch) const {
  const Places places(rows_);
  const auto count = static_cast<std::uint32_t>(rows_);
  const auto part = [&](std::uint64_t offset) { return scratch.part(offset, rows_ * 4); };
  const auto sort = [&](std::uint64_t values, const BufferView& order) {
    recording.barrier();
    SelectionBuffers buffers;
    buffers.values = part(values);
    buffers.indices = order;
    buffers.selected = part(places.sorted());
    buffers.scratch = scratch.part(places.sorting(), align_scratch(sort_.scratch_bytes()));
    sort_.record(recording, buffers);
    recording.barrier();
  };

  recording.push_label("bounding volumes");
  const std::uint32_t bits = passes::bvh_code_bits / dimensions_;
  const auto rank_bits = static_cast<std::uint32_t>(std::bit_width(rows_ - 1));
  for (std::uint32_t dimension = 0; dimension < dimensions_; ++dimension) {
    passes::BvhAxisParameters axis{};
    axis.rows = rows;
    axis.values = scratch.address() + places.values();
    axis.dimension = dimension;
    recording.record(passes::make_bvh_axis(axis));
    sort(places.values(), part(places.order()));
    passes::BvhCodesParameters codes{};
    codes.order = scratch.address() + places.order();
    codes.codes = scratch.address() + places.codes();
    codes.row_count = count;
    codes.axis = dimension;
    codes.dimensions = dimensions_;
    codes.shift = rank_bits > bits ? rank_bits - bits : 0;
    recording.record(passes::make_bvh_codes(codes));
  }
  sort(places.codes(), order().part(0, rows_ * 4));

  passes::BvhLeavesParameters leaves{};
  leaves.rows = rows;
  leaves.order = order().address();
  leaves.coordinates = coordinates().address();
  leaves.boxes = boxes().address();
  leaves.dimensions = dimensions_;
  recording.record(passes::make_bvh_leaves(leaves));
  const std::uint64_t group_bytes = passes::bvh_group_bytes(dimensions_);
  for (std::uint32_t level = 1; level < passes::bvh_levels(rows_); ++level) {
    recording.barrier();
    passes::BvhNodesParameters nodes{};
    nodes.children = boxes().address() + passes::bvh_first_group(rows_, level - 1) * group_bytes;
    nodes.boxes = boxes().address() + passes::bvh_first_group(rows_, level) * group_bytes;
    nodes.child_count = static_cast<std::uint32_t>(passes::bvh_boxes(rows_, level - 1));
    nodes.dimensions = dimensions_;
    recording.record(passes::make_bvh_nodes(nodes));
  }
  recording.barrier();
  recording.pop_label();
}

}  // namespace proxel
