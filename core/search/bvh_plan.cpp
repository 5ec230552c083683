#include <fmt/format.h>

#include "proxel/bvh.hpp"
#include "proxel/passes/bvh_search.h"
#include "search/after.hpp"
#include "search/bindings.hpp"
#include "search/decode.hpp"
#include "search/list_length.hpp"
#include "search/rehearsal.hpp"

namespace proxel {

using namespace search;

namespace {

// Whether the distance to the nearest point of a box is a bound for every row in it.
bool bounded_by_boxes(Metric metric) {
  switch (metric) {
    case Metric::l1:
    case Metric::l2sq:
    case Metric::l2:
    case Metric::linf:
      return true;
    case Metric::ip:
    case Metric::cosine:
    case Metric::pearson:
      return false;
  }
  return false;
}

}  // namespace

static_assert(BvhPlan::most_k_of_cpu == longest_list_of_cpu);

Support BvhPlan::supports(const Device& device, const SearchDescription& description) {
  require_metric(description.metric);
  const Metric metric = accumulated(description.metric);
  if (!bounded_by_boxes(metric))
    return Support::no(Limit::metric, fmt::format("boxes bound what grows with differences of coordinates, not {}",
                                                  to_string(description.metric)));
  const std::uint64_t most = is_cpu(device) ? most_k_of_cpu : most_k;
  if (description.k > most)
    return Support::no(Limit::neighbors,
                       fmt::format("boxes serve up to {} neighbours, {} were asked for", most, description.k));
  if (description.dimensions > BoxHierarchy::most_dimensions)
    return Support::no(Limit::dimensions, fmt::format("boxes tell little apart in many dimensions: up to {} are "
                                                      "served, {} were given",
                                                      BoxHierarchy::most_dimensions, description.dimensions));
  passes::BvhSearchParameters probe{};
  probe.query_count = 1;
  probe.k = static_cast<std::uint32_t>(description.k);
  return device.supports(passes::make_bvh_search(probe, metric, description.dimensions));
}

BvhPlan BvhPlan::make(Device& device, const SearchDescription& description, const BoxHierarchy& hierarchy,
                      const passes::Rows& rows) {
  check(description);
  refuse_raw(description, "bvh");
  if (const Support support = supports(device, description); !support)
    throw Error(ErrorCode::unsupported, "bvh", support.reason);
  if (hierarchy.rows() != description.rows || hierarchy.dimensions() != description.dimensions)
    throw Error(ErrorCode::invalid_argument, "bounding volumes",
                fmt::format("are of {} rows in {} dimensions, {} in {} were described", hierarchy.rows(),
                            hierarchy.dimensions(), description.rows, description.dimensions));
  if (!hierarchy.device().shares_addresses(device))
    throw Error(ErrorCode::invalid_argument, "bounding volumes",
                fmt::format("are in memory of {}, the plan is for {}", hierarchy.device().info().id, device.info().id));
  const RowsSegment segment{rows, 0};
  check_segments(description.rows, description.dimensions, {&segment, 1});
  BvhPlan plan;
  plan.device_ = PlannedFor(device);
  plan.description_ = description;
  plan.rows_ = rows;
  plan.hierarchy_ = hierarchy;

  RehearsalBuffer nowhere(UINT64_MAX);
  const SearchBuffers buffers = rehearsal_buffers(nowhere);
  rehearse(device, [&](Recording& rehearsal) { plan.record(rehearsal, rows, buffers); });
  return plan;
}

std::uint64_t BvhPlan::scratch_bytes() const {
  device_.device();
  // A search has some scratch memory, also where it uses none.
  return align_scratch(description_.continued ? description_.queries * key_bytes : 1);
}

void BvhPlan::record(Recording& recording, const passes::Rows& rows, const SearchBuffers& buffers) const {
  Bindings bindings(recording, device_.device());
  check(bindings, requirements_of(description_, scratch_bytes()), buffers);
  bindings.reads("order buffer", hierarchy_.order(), {hierarchy_.order().bytes, 4, by_kernels});
  bindings.reads("coordinates buffer", hierarchy_.coordinates(), {hierarchy_.coordinates().bytes, 4, by_kernels});
  bindings.reads("boxes buffer", hierarchy_.boxes(), {hierarchy_.boxes().bytes, 4, by_kernels});
  bindings.reads(rows, rows_, description_.dimensions);
  recording.push_label("bvh");
  passes::BvhSearchParameters search{};
  search.queries = buffers.queries.address();
  search.coordinates = hierarchy_.coordinates().address();
  search.order = hierarchy_.order().address();
  search.boxes = hierarchy_.boxes().address();
  search.indices = buffers.indices.address();
  search.distances = buffers.distances.address();
  search.row_count = rows.count;
  search.query_count = description_.queries;
  search.query_stride = description_.dimensions;
  search.k = static_cast<std::uint32_t>(description_.k);
  search.finish = finish_of(description_);
  if (description_.filter != FilterKind::none) {
    search.filter_bits = buffers.filter.address();
    search.filter_stride = filter_stride(description_);
  }
  if (description_.counted) search.counted = buffers.count.address();
  if (description_.continued) {
    search.after = buffers.scratch.address();
    const RowsSegment segment{rows, 0};
    record_after(recording, answered_metric(description_), buffers.after, 0, description_.queries, search.after,
                 buffers.queries.address(), description_.dimensions, {&segment, 1});
    recording.barrier();
  }
  recording.record(passes::make_bvh_search(search, description_.metric, description_.dimensions));
  recording.pop_label();
}

}  // namespace proxel
