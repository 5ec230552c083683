#include "proxel/moving_points.hpp"

#include <algorithm>

#include "search/bindings.hpp"

namespace proxel {

using namespace search;

Support MovingPointsPlan::supports(Device& device, const SearchDescription& description) {
  if (const Support support = BoxHierarchy::supports(device, description.rows, description.dimensions); !support)
    return support;
  return BvhPlan::supports(device, description);
}

MovingPointsPlan MovingPointsPlan::make(Device& device, const SearchDescription& description,
                                        const passes::Rows& layout, const MovingPointsOptions& options) {
  check(description);
  if (const Support support = supports(device, description); !support)
    throw Error(ErrorCode::unsupported, "moving points", support.reason);
  MovingPointsPlan plan;
  plan.description_ = description;
  plan.layout_ = layout;
  plan.layout_.address = 0;
  plan.boxes_ = BoxHierarchy(device, description.rows, description.dimensions);
  plan.plan_ = BvhPlan::make(device, description, plan.boxes_, plan.layout_);
  plan.device_ = PlannedFor(device);
  if (options.own_scratch) plan.scratch_ = device.create_buffer(plan.scratch_bytes(), MemoryKind::device);
  return plan;
}

MovingPointsPlan MovingPointsPlan::make(Device& device, const SearchDescription& description,
                                        const MovingPointsOptions& options) {
  return make(device, description, row_major_rows(0, description.rows, description.dimensions), options);
}

std::uint64_t MovingPointsPlan::scratch_bytes() const {
  device_.device();
  return std::max(boxes_.scratch_bytes(), plan_.scratch_bytes());
}

MovingPointsRequirements MovingPointsPlan::requirements() const {
  MovingPointsRequirements needed;
  needed.points = elements_requirement(rows_bytes(layout_, description_.dimensions) / 4);
  needed.others = requirements_of(description_, scratch_bytes());
  if (scratch_) needed.others.scratch = {};
  return needed;
}

// What the search is given, once all of it has been looked at.
SearchBuffers MovingPointsPlan::checked(const Recording& recording, const MovingPointsBuffers& buffers,
                                        bool search) const {
  SearchBuffers given{buffers.queries, buffers.scratch, buffers.indices, buffers.distances,
                      buffers.filter,  buffers.after,   buffers.count};
  if (scratch_) given.scratch = *scratch_;
  Bindings bindings(recording, device_.device());
  BufferRequirement points = requirements().points;
  if (search && !given.queries.buffer) {
    if (!same_layout(layout_, row_major_rows(0, layout_.count, description_.dimensions)))
      throw Error(ErrorCode::invalid_argument, "queries buffer",
                  "no buffer was given; points ask themselves where they lie row-major without gaps alone");
    require_range("queries that are points", description_.queries, 1, description_.rows);
    given.queries = buffers.points;
    points.alignment = query_alignment;
  }
  bindings.reads("points buffer", buffers.points, points);
  if (search)
    check(bindings, requirements_of(description_, scratch_bytes()), given);
  else
    bindings.writes("scratch buffer", given.scratch, scratch_requirement(scratch_bytes()));
  return given;
}

passes::Rows MovingPointsPlan::rows(const MovingPointsBuffers& buffers) const {
  passes::Rows rows = layout_;
  rows.address = buffers.points.address();
  return rows;
}

void MovingPointsPlan::record(Recording& recording, const MovingPointsBuffers& buffers) const {
  const SearchBuffers given = checked(recording, buffers, true);
  boxes_.record(recording, rows(buffers), given.scratch);
  plan_.record(recording, rows(buffers), given);
}

void MovingPointsPlan::record_boxes(Recording& recording, const MovingPointsBuffers& buffers) const {
  boxes_.record(recording, rows(buffers), checked(recording, buffers, false).scratch);
}

void MovingPointsPlan::record_search(Recording& recording, const MovingPointsBuffers& buffers) const {
  plan_.record(recording, rows(buffers), checked(recording, buffers, true));
}

}  // namespace proxel
