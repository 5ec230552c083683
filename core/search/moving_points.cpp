#include "proxel/moving_points.hpp"

#include <algorithm>

#include "proxel/passes/component_begin.h"
#include "search/bindings.hpp"
#include "search/drop_self.hpp"
#include "search/rehearsal.hpp"

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
  SearchDescription searched = description;
  if (options.exclude_self) {
    require_range("k", description.k, 1, most_k - 1);
    ++searched.k;
  }
  if (const Support support = supports(device, searched); !support)
    throw Error(ErrorCode::unsupported, "moving points", support.reason);
  MovingPointsPlan plan;
  plan.description_ = description;
  plan.layout_ = layout;
  plan.layout_.address = 0;
  plan.boxes_ = BoxHierarchy(device, description.rows, description.dimensions);
  plan.plan_ = BvhPlan::make(device, searched, plan.boxes_, plan.layout_);
  plan.exclude_self_ = options.exclude_self;
  plan.device_ = PlannedFor(device);
  if (options.exclude_self) {
    rehearse(device, [&](Recording& rehearsal) {
      rehearsal.record(passes::make_component_begin({.components = 0, .count = 0, .rows = description.queries}));
      record_drop_self(rehearsal, description, {}, {});
    });
  }
  if (options.own_scratch) plan.scratch_ = device.create_buffer(plan.scratch_bytes(), MemoryKind::device);
  return plan;
}

MovingPointsPlan MovingPointsPlan::make(Device& device, const SearchDescription& description,
                                        const MovingPointsOptions& options) {
  return make(device, description, row_major_rows(0, description.rows, description.dimensions), options);
}

std::uint64_t MovingPointsPlan::scratch_bytes() const {
  device_.device();
  return exclude_self_ ? found().bytes : std::max(boxes_.scratch_bytes(), plan_.scratch_bytes());
}

// Behind what boxes and search use.
MovingPointsPlan::Found MovingPointsPlan::found() const {
  const std::uint64_t results = align_scratch(description_.queries * (description_.k + 1) * 4);
  Found found;
  found.indices = align_scratch(std::max(boxes_.scratch_bytes(), plan_.scratch_bytes()));
  found.distances = found.indices + results;
  found.selves = found.distances + results;
  found.bytes = found.selves + align_scratch((std::uint64_t{description_.queries} + 1) * 4);
  return found;
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
  if (search && exclude_self_ && given.queries.buffer)
    throw Error(ErrorCode::invalid_argument, "queries buffer",
                "was given; points that are left out of their own neighbours ask themselves");
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
  record_nearest(recording, rows(buffers), given);
}

// Each point's number is written where drop_self reads it: to bring them when the plan is made would submit something.
void MovingPointsPlan::record_nearest(Recording& recording, const passes::Rows& points,
                                      const SearchBuffers& given) const {
  if (!exclude_self_) return plan_.record(recording, points, given);
  const Found at = found();
  const std::uint64_t scratch = given.scratch.address();
  passes::ComponentBeginParameters numbers{};
  numbers.components = scratch + at.selves;
  numbers.count = numbers.components + std::uint64_t{description_.queries} * 4;
  numbers.rows = description_.queries;
  recording.record(passes::make_component_begin(numbers));
  SearchBuffers wider = given;
  wider.indices = given.scratch.part(at.indices, at.distances - at.indices);
  wider.distances = given.scratch.part(at.distances, at.selves - at.distances);
  wider.scratch = given.scratch.part(0, at.indices);
  plan_.record(recording, points, wider);
  recording.barrier();
  record_drop_self(recording, description_,
                   {wider.indices, wider.distances, given.scratch.part(at.selves, at.bytes - at.selves)}, given);
}

void MovingPointsPlan::record_boxes(Recording& recording, const MovingPointsBuffers& buffers) const {
  boxes_.record(recording, rows(buffers), checked(recording, buffers, false).scratch);
}

void MovingPointsPlan::record_search(Recording& recording, const MovingPointsBuffers& buffers) const {
  record_nearest(recording, rows(buffers), checked(recording, buffers, true));
}

}  // namespace proxel
