// Plans of the default methods over databases of the usual size. They choose other kernels
// than the small data of the other cases; here these are compiled, and nothing is searched.
#include <fmt/format.h>

#include "case.hpp"
#include "proxel/bvh.hpp"
#include "proxel/range.hpp"
#include "proxel/screened.hpp"

namespace proxel::conformance {
namespace {

constexpr std::uint64_t usual_rows = 1'000'000;

// An address at which rows might lie. Planning reads nothing there.
passes::Rows rows_of(const SearchDescription& description) {
  return tiled_rows(std::uint64_t{1} << 20, description.rows, description.dimensions);
}

Verdict plan_scan(Device& device, const SearchDescription& description) {
  const RowsSegment whole{rows_of(description), 0};
  ScanPlan::make(device, description, {&whole, 1});
  return Verdict::pass();
}

Verdict plan_fused(Device& device, const SearchDescription& description) {
  const bool matrix =
      ScreenedRows::supports(device, description.metric, description.rows, description.dimensions).supported;
  const auto operand = matrix ? std::optional(ScreenOperand::halves) : std::nullopt;
  if (const Support support = ScreenedPlan::supports(device, description, operand); !support)
    return Verdict::refuse(support);
  if (const Support support = ScreenedPlan::supports_narrowing(description); !support) return Verdict::refuse(support);
  std::unique_ptr<ScreenedRows> screened;
  if (matrix)
    screened = std::make_unique<ScreenedRows>(device, description.metric, description.rows, description.dimensions);
  ScreenedPlan::make(device, description, screened.get(), rows_of(description));
  return Verdict::pass();
}

Verdict plan_bvh(Device& device, const SearchDescription& description) {
  if (const Support support = BvhPlan::supports(device, description); !support) return Verdict::refuse(support);
  const BoxHierarchy hierarchy(device, description.rows, description.dimensions);
  BvhPlan::make(device, description, hierarchy, rows_of(description));
  return Verdict::pass();
}

Verdict plan_range(Device& device, const SearchDescription& description) {
  RangeDescription range{description.metric, description.rows, description.dimensions, description.queries, 1.0f};
  range.filter = description.filter;
  const RowsSegment whole{rows_of(description), 0};
  RangePlan::make(device, range, {&whole, 1});
  return Verdict::pass();
}

using Planner = Verdict (*)(Device&, const SearchDescription&);

void add(Cases& cases, const char* method, Planner plan, const SearchDescription& description) {
  const char* narrowed = description.filter != FilterKind::none ? "/filtered"
                         : description.continued                ? "/continued"
                                                                : "";
  cases.push_back({fmt::format("sizes/{}/{}/d={},q={},k={}{}", method, to_string(description.metric),
                               description.dimensions, description.queries, description.k, narrowed),
                   true, [=](const Context&) {
    return make_check([=](Device& device) { return plan(device, description); });
  }, true});
}

void add_narrowed(Cases& cases, const char* method, Planner plan, SearchDescription description) {
  add(cases, method, plan, description);
  description.filter = FilterKind::shared;
  add(cases, method, plan, description);
  description.filter = FilterKind::none;
  description.continued = true;
  add(cases, method, plan, description);
}

}  // namespace

void add_size_cases(Cases& cases) {
  // Cosine and pearson are ip of normalised rows, l2 is l2sq.
  for (const Metric metric : accumulated_metrics)
    for (const std::uint32_t queries : {1u, 100u, 10'000u}) {
      for (const std::uint32_t dimensions : {3u, 128u, 960u})
        for (const std::uint64_t k : {1u, 10u, 100u, 1000u, 2000u}) {
          const SearchDescription description{metric, usual_rows, dimensions, queries, k};
          add_narrowed(cases, "scan", plan_scan, description);
          add_narrowed(cases, "fused", plan_fused, description);
        }
      for (const std::uint32_t dimensions : {3u, 128u}) {
        SearchDescription description{metric, usual_rows, dimensions, queries, 1};
        add(cases, "range", plan_range, description);
        description.filter = FilterKind::per_query;
        add(cases, "range", plan_range, description);
      }
      if (metric == Metric::ip) continue;
      for (const std::uint32_t dimensions : {1u, 2u, 3u, 8u})
        for (const std::uint64_t k : {1u, 10u, 100u, 1000u})
          add_narrowed(cases, "bvh", plan_bvh, {metric, usual_rows, dimensions, queries, k});
    }
}

}  // namespace proxel::conformance
