#include "bench/cliffs/walks.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "index/choice_limits.hpp"
#include "proxel/error.hpp"
#include "proxel/bvh.hpp"
#include "proxel/passes/scan_select.h"
#include "proxel/screened.hpp"
#include "search/check.hpp"
#include "search/code_errors.hpp"
#include "search/list_length.hpp"
#include "search/occupancy.hpp"
#include "search/scan_shape.hpp"
#include "search/screened_plan.hpp"

namespace proxel::tool::cliffs {
namespace {

using passes::tile_rows;
using search::divide_up;

// The sizes of walks that do not walk along them.
struct Sizes {
  std::uint64_t rows, many_rows, rows_of_one_query;
  std::uint64_t queries, many_queries;
  std::uint64_t dimensions;
  std::uint64_t many_neighbors;
  Point most;  // of walks along them
};

Sizes sizes_of(Extent extent) {
  switch (extent) {
    case Extent::quick:
      return {500, 1200, 2000, 12, 40, 12, 60, {Metric::l2sq, 4200, 66, 23, 130}};
    case Extent::host:
      return {4096, 16384, 65536, 40, 100, 32, 300, {Metric::l2sq, 40'000, 300, 130, 1100}};
    case Extent::device:
      break;
  }
  return {65536, 262'144, 1'000'000, 100, 1000, 128, 1000, {Metric::l2sq, 7'500'000, 1100, 600, 66'000}};
}

// A walk of few dimensions is cheap over more rows and queries.
constexpr std::uint64_t most_values_of_walk = std::uint64_t{1} << 27;

using Limits = std::vector<Limit>;

Limits limits_of_neighbors(const Point& base) {
  Limits limits = {{ScreenedPlan::most_coded_k, "neighbours that codes serve"},
                   {search::few_scan_neighbors, "neighbours of a scan of few pairs"},
                   // sampled_share() of screened_sample.cpp
                   {200, "neighbours from which on more rows are sampled"},
                   {BvhPlan::most_k, "neighbours that boxes serve"},
                   {ScreenedPlan::most_k, "neighbours that fused serves"},
                   {2 * search::longest_list, "two rounds of the longest list"},
                   {search::neighbors_of_many, "neighbours of many queries that lists find"},
                   {search::neighbors_of_one_tile, "neighbours of a tile of queries that lists find"},
                   {search::neighbors_of_part, "neighbours that lists find where distances take much room"},
                   {base.rows / 4, "neighbours that there are rows enough for"},
                   {base.rows / 2, "half of the rows"},
                   {base.rows, "as many neighbours as rows"}};
  for (std::uint64_t length = search::longest_list; length >= 16; length /= 2)
    limits.push_back({length, "a list of a workgroup"});
  return limits;
}

Limits limits_of_queries(const Point& base) {
  return {{1, "one query"},
          {ScreenedPlan::most_coded_queries, "queries that codes serve"},
          {ScreenedPlan::most_listed_queries, "queries by l1 and linf that have lists of codes"},
          {search::few_queries, "few queries of a scan"},
          {index::worthwhile_fused_queries, "queries from which on fused is worthwhile"},
          {index::worthwhile_bvh_queries, "queries from which on boxes are worthwhile"},
          {ScreenedPlan::many_queries, "queries from which on each has a subgroup"},
          {tile_rows / 2, "half a tile of queries"},
          {tile_rows, "a tile of queries"},
          {2 * tile_rows, "two tiles of queries"},
          {search::few_scan_pairs / base.rows, "few pairs of a scan"},
          {search::few_scan_terms / base.rows / base.dimensions, "few terms of a scan"}};
}

Limits limits_of_dimensions(const Point& base) {
  const std::uint64_t pairs = base.rows * base.queries;
  Limits limits = {{1, "a line"},
                   {index::few_dimensions, "few dimensions for fused"},
                   {BoxHierarchy::most_dimensions, "dimensions of boxes"},
                   {search::most_split_dimensions, "values of two halves"},
                   {search::few_scan_terms / pairs, "few terms of a scan"},
                   {index::undecided_dimensions, "dimensions that codes leave undecided"}};
  for (std::uint64_t blocks = 1; blocks <= 8; blocks *= 2)
    limits.push_back({blocks * passes::screen_block_depth, "whole blocks of halves"});
  return limits;
}

Limits limits_of_rows(const Point& base) {
  const std::uint64_t products = base.queries * base.dimensions;
  return {{passes::bvh_width, "a leaf of boxes"},
          {tile_rows, "a tile of rows"},
          {tile_rows * passes::scan_tiles_per_step, "a step of a scan"},
          {passes::bvh_width * passes::bvh_width, "two levels of boxes"},
          {passes::bvh_width * passes::bvh_width * passes::bvh_width, "three levels of boxes"},
          {search::fewest_screened_rows(base.k), "rows that thresholds need"},
          {index::worthwhile_rows, "rows from which on fused is worthwhile"},
          {ScreenedRows::fewest_sampled_rows, "rows that have a sample"},
          {index::worthwhile_coded_rows, "rows from which on a processor may have codes"},
          {search::few_scan_pairs / base.queries, "few pairs of a scan"},
          {search::few_scan_terms / products, "few terms of a scan"}};
}

Limits limits_along(Axis axis, const Point& base) {
  switch (axis) {
    case Axis::rows:
      return limits_of_rows(base);
    case Axis::queries:
      return limits_of_queries(base);
    case Axis::dimensions:
      return limits_of_dimensions(base);
    case Axis::neighbors:
      return limits_of_neighbors(base);
    case Axis::metric:
      break;
  }
  return {};
}

class Walks {
 public:
  explicit Walks(Point most) : most_(most) {}

  void add(std::string name, Axis axis, const Point& base, bool follows_choice = false) {
    add_up_to(std::move(name), axis, base, axis == Axis::metric ? 0 : largest(axis, base), follows_choice);
  }
  void add_up_to(std::string name, Axis axis, const Point& base, std::uint64_t most, bool follows_choice = false) {
    Walk walk{std::move(name), axis, base, {}, most, follows_choice};
    add_limits(walk, limits_along(axis, base));
    walks_.push_back(std::move(walk));
  }
  std::vector<Walk> take() { return std::move(walks_); }

 private:
  // Walks over rows and dimensions stay within what is uploaded soon.
  std::uint64_t largest(Axis axis, const Point& base) const {
    const std::uint64_t most = size_of(most_, axis);
    if (axis == Axis::rows) return std::min(most, most_values_of_walk / base.dimensions);
    if (axis == Axis::dimensions) return std::min(most, most_values_of_walk / base.rows);
    return most;
  }

  Point most_;
  std::vector<Walk> walks_;
};

}  // namespace

void add_limits(Walk& walk, std::span<const Limit> more) {
  for (const Limit& limit : more) {
    const auto same = std::ranges::find(walk.limits, limit.size, &Limit::size);
    if (same != walk.limits.end() || limit.size == 0 || limit.size > walk.most) continue;
    walk.limits.push_back(limit);
  }
  std::ranges::sort(walk.limits, {}, &Limit::size);
}

std::vector<std::uint64_t> doubling(std::uint64_t most) {
  std::vector<std::uint64_t> doubled;
  for (std::uint64_t size = 1; size <= most; size *= 2) doubled.push_back(size);
  return doubled;
}

void add_limits_of_device(Walk& walk, std::uint32_t multiprocessors) {
  if (walk.axis == Axis::queries)
    add_limits(walk, Limits{{multiprocessors, "queries that have a multiprocessor each"}});
  const Metric metric = walk.base.metric;
  if ((metric != Metric::l1 && metric != Metric::linf) || walk.axis == Axis::queries || walk.axis == Axis::metric)
    return;
  const auto listed = [&](std::uint64_t size) -> std::string_view {
    const Point point = with(walk.base, walk.axis, size);
    const double near =
        search::near_by_codes(metric, point.rows, static_cast<std::uint32_t>(point.dimensions), point.k);
    return search::room_for_near(near, point.k) > search::most_kept_of_few ? "a list" : "one workgroup";
  };
  add_limits(walk, changes_of(doubling(walk.most), listed));
}

std::vector<Walk> walks_of(Extent extent) {
  const Sizes s = sizes_of(extent);
  const Metric l2sq = Metric::l2sq;
  Walks walks(s.most);
  walks.add("k_many_queries", Axis::neighbors, {l2sq, s.many_rows, s.many_queries, s.dimensions, 1}, true);
  walks.add("q_8_dimensions", Axis::queries, {l2sq, s.many_rows, 1, 8, 100}, true);
  walks.add("d_many_queries", Axis::dimensions, {l2sq, s.rows, s.many_queries, 1, 10}, true);
  walks.add("n_few_queries", Axis::rows, {l2sq, 1, s.queries, s.dimensions, 10}, true);
  walks.add("metric_many_queries", Axis::metric, {l2sq, s.rows, s.many_queries, s.dimensions / 2, 10});
  walks.add("k_one_query", Axis::neighbors, {l2sq, s.rows_of_one_query, 1, s.dimensions, 1});
  walks.add("q_many_dimensions", Axis::queries, {l2sq, s.rows, 1, s.dimensions, 10}, true);
  walks.add("n_3_dimensions", Axis::rows, {l2sq, 1, s.many_queries, 3, 10}, true);
  walks.add("d_many_neighbors", Axis::dimensions, {l2sq, s.rows, s.queries, 1, 100}, true);
  walks.add("metric_3_dimensions", Axis::metric, {l2sq, s.rows, s.many_queries, 3, 10});
  if (extent == Extent::quick) return walks.take();
  walks.add("k_8_dimensions", Axis::neighbors, {l2sq, s.rows, s.queries, 8, 1}, true);
  walks.add("n_one_query", Axis::rows, {l2sq, 1, 1, s.dimensions, 10}, true);
  walks.add("d_one_query", Axis::dimensions, {l2sq, s.many_rows, 1, 1, 10}, true);
  walks.add("q_3_dimensions", Axis::queries, {l2sq, s.rows, 1, 3, 10}, true);
  walks.add("n_8_dimensions", Axis::rows, {l2sq, 1, s.queries, 8, 10}, true);
  walks.add("k_l1", Axis::neighbors, {Metric::l1, s.rows, s.queries, s.dimensions / 2, 1}, true);
  for (const Metric metric : {Metric::l1, Metric::linf})
    walks.add(fmt::format("k_many_queries_{}", to_string(metric)), Axis::neighbors,
              {metric, s.rows, s.many_queries, s.dimensions / 2, 1}, true);
  walks.add("k_ip", Axis::neighbors, {Metric::ip, s.rows, s.queries, s.dimensions / 2, 1}, true);
  walks.add("q_l1", Axis::queries, {Metric::l1, s.rows, 1, s.dimensions / 2, 10}, true);
  walks.add("q_ip", Axis::queries, {Metric::ip, s.rows, 1, s.dimensions / 2, 10}, true);
  walks.add("d_l1", Axis::dimensions, {Metric::l1, s.rows, s.queries, 1, 10}, true);
  walks.add("n_l1", Axis::rows, {Metric::l1, 1, s.queries, s.dimensions / 2, 10}, true);
  walks.add("n_many_neighbors", Axis::rows, {l2sq, 1, s.queries, s.dimensions / 2, s.many_neighbors}, true);
  walks.add("k_3_dimensions", Axis::neighbors, {l2sq, s.many_rows, s.many_queries, 3, 1}, true);
  walks.add("metric_one_query", Axis::metric, {l2sq, s.rows_of_one_query, 1, s.dimensions, 10});
  walks.add("metric_many_neighbors", Axis::metric, {l2sq, s.rows, s.queries, s.dimensions / 2, s.many_neighbors});
  if (extent == Extent::device) return walks.take();
  // Where a processor takes boxes.
  constexpr std::uint64_t queries = 1024, rows = 262'144;
  walks.add_up_to("q_boxes", Axis::queries, {l2sq, s.rows, 1, 3, 10}, queries + 1, true);
  walks.add("n_boxes", Axis::rows, {l2sq, 1, queries, 3, 10}, true);
  walks.add("d_boxes", Axis::dimensions, {l2sq, s.rows, queries, 1, 10});
  walks.add_up_to("n_boxes_8_dimensions", Axis::rows, {l2sq, 1, queries, 8, 10}, rows, true);
  return walks.take();
}

void require_walk(std::string_view name) {
  std::string names;
  for (const Extent extent : {Extent::quick, Extent::device, Extent::host})
    for (const Walk& walk : walks_of(extent)) {
      if (walk.name == name) return;
      if (extent == Extent::host) names += (names.empty() ? "" : ", ") + walk.name;
    }
  throw Error(ErrorCode::invalid_argument, "--walk", fmt::format("there is no walk '{}'; there are {}", name, names));
}

std::vector<Place> places_of(const Walk& walk) {
  std::vector<Place> places;
  if (walk.axis == Axis::metric)
    for (const Metric metric : all_metrics) {
      places.push_back({walk.base, ""});
      places.back().point.metric = metric;
    }
  std::uint64_t next = 1;
  for (const Limit& limit : walk.limits)
    for (std::uint64_t size = std::max(limit.size - 1, next); size <= std::min(limit.size + 1, walk.most); ++size) {
      places.push_back({with(walk.base, walk.axis, size), limit.name});
      next = size + 1;
    }
  return places;
}

std::vector<Limit> changes_of(std::span<const std::uint64_t> among,
                              const std::function<std::string_view(std::uint64_t)>& choose) {
  std::vector<Limit> changes;
  for (std::size_t i = 1; i < among.size(); ++i) {
    std::uint64_t below = among[i - 1], from = among[i];
    const std::string before(choose(below)), after(choose(from));
    if (before == after) continue;
    while (from - below > 1) {
      const std::uint64_t middle = below + (from - below) / 2;
      (choose(middle) == before ? below : from) = middle;
    }
    changes.push_back({from, fmt::format("{} is chosen where {} was", choose(from), before)});
  }
  return changes;
}

}  // namespace proxel::tool::cliffs
