// Searches whose sizes pass by ones over every constant in the plans of the methods that are
// chosen by themselves, and searches of data at the limits of what those methods compute with.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <set>
#include <string>
#include <vector>

#include "search_check.hpp"

namespace proxel::conformance {
namespace {

constexpr Method default_methods[] = {Method::scan, Method::fused, Method::bvh, Method::automatic};

// Where a plan changes: lists and their runs (powers of two), how much is sampled (64, 200),
// how much of a sample fits the rows that are kept at hand (around 560, 750, 850), the longest list.
constexpr std::uint64_t k_limits[] = {1, 4, 16, 32, 64, 128, 200, 256, 341, 512, 562, 683, 749, 853, 910, 1000, 1024};
// Texels of four, leaves of 32 and their levels (1,024, 32,768), tiles of 128, sampled tiles
// (16 of 128), rows from which `fused` is worthwhile, four rows for each neighbour (k = 10), rows that have a sample (65,536).
constexpr std::uint64_t n_limits[] = {1, 2, 4, 32, 40, 128, 256, 1024, 2048, 4096, 8192, 16384, 32768, 65536};
// Boxes (8), operands that are split (21), blocks of 64 halves and steps of 16, those that stay
// in shared memory (256), shares of a sample (64, 512).
constexpr std::uint64_t d_limits[] = {1, 2, 4, 8, 16, 21, 32, 64, 85, 128, 170, 192, 256, 512, 1024, 2048};
// Queries of a workgroup (64, 128, 256), few queries (4, 8), those from which `fused` is worthwhile (32), and from which each has a
// subgroup (2,048).
constexpr std::uint64_t q_limits[] = {1, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048};

// The limit and its neighbours by ones.
void around(std::uint64_t limit, std::uint64_t reach, const std::function<void(std::uint64_t)>& visit) {
  const std::uint64_t first = limit > reach ? limit - reach : 1;
  for (std::uint64_t value = first; value <= limit + reach; ++value) visit(value);
}

class Walk {
 public:
  explicit Walk(Cases& cases) : cases_(cases) {}

  void add(Method method, Metric metric, Kind kind, Shape shape, bool quick = false) {
    if (method == Method::bvh) {
      if (!bounded_by_boxes(metric)) return;
      shape.d = std::min<std::uint64_t>(shape.d, 8);
    }
    SearchCase search{method, metric, kind, shape};
    add(search, quick);
  }

  /// Rows that pass through in parts of 2,048, searched by thresholds that known distances raise.
  void add_streamed(Metric metric, Kind kind, const Shape& shape) {
    SearchCase search{Method::fused, metric, kind, shape};
    search.options.memory_limit = 2 * 2048 * shape.d * 4;
    add(search, false);
  }

 private:
  void add(SearchCase search, bool quick) {
    search.family = "walk";
    if (names_.insert(search.name()).second) add_search_case(cases_, search, quick);
  }
  static bool bounded_by_boxes(Metric metric) {
    return metric == Metric::l1 || metric == Metric::l2sq || metric == Metric::l2 || metric == Metric::linf;
  }

  Cases& cases_;
  std::set<std::string> names_;
};

void walk_neighbors(Walk& walk) {
  for (const Method method : default_methods)
    for (const std::uint64_t limit : k_limits)
      around(limit, 2, [&](std::uint64_t k) {
        for (const Metric metric : {Metric::l2sq, Metric::ip, Metric::l1})
          walk.add(method, metric, Kind::gaussian, {6000, 9, 35, k}, metric == Metric::l2sq && k == 1024);
        walk.add(method, Metric::l2sq, Kind::tied, {6000, 9, 33, k});
      });
}

void walk_rows(Walk& walk) {
  for (const Method method : default_methods)
    for (const std::uint64_t limit : n_limits)
      around(limit, 2, [&](std::uint64_t n) {
        for (const Metric metric : {Metric::l2sq, Metric::ip, Metric::linf})
          walk.add(method, metric, Kind::gaussian, {n, 3, 33, 10});
        walk.add(method, Metric::l2, Kind::tied, {n, 5, 3, 100});
      });
}

void walk_dimensions(Walk& walk) {
  for (const Method method : default_methods)
    for (const std::uint64_t limit : d_limits)
      around(limit, 1, [&](std::uint64_t d) {
        for (const Metric metric : {Metric::l2sq, Metric::ip, Metric::cosine, Metric::l1})
          walk.add(method, metric, Kind::gaussian, {1500, d, 33, 5}, d == 65 && metric == Metric::ip);
      });
}

void walk_queries(Walk& walk) {
  for (const Method method : default_methods)
    for (const std::uint64_t limit : q_limits)
      around(limit, 1, [&](std::uint64_t q) {
        for (const Metric metric : {Metric::l2, Metric::ip}) walk.add(method, metric, Kind::uniform, {4200, 4, q, 10});
      });
  // Queries whose copy takes 8 MiB.
  around(16384, 1, [&](std::uint64_t q) { walk.add(Method::fused, Metric::l2sq, Kind::uniform, {300, 128, q, 3}); });
}

void walk_streamed(Walk& walk) {
  constexpr Metric metrics[] = {Metric::l2sq, Metric::l2, Metric::ip, Metric::cosine, Metric::pearson};
  std::size_t step = 0;
  around(256, 2, [&](std::uint64_t k) {
    for (const Metric metric : metrics)
      for (const Kind kind : {Kind::gaussian, Kind::tied, Kind::nan, Kind::offset, Kind::bytes})
        walk.add_streamed(metric, kind, {5000, 17 + step++ % 2 * 113, 70, k});
  });
  for (const std::uint64_t limit : {4096, 6144})
    around(limit, 2, [&](std::uint64_t n) {
      for (const Metric metric : metrics)
        walk.add_streamed(metric, all_kinds[step++ % all_kinds.size()], {n, 33, 335, 9});
    });
}

// Sums that overflow, halves that saturate, ties by the thousand, offsets, and values that
// are flushed: of every metric, where half precision decides most queries and where it does not.
void walk_edges(Walk& walk) {
  std::vector<Kind> kinds(std::begin(edge_kinds), std::end(edge_kinds));
  kinds.insert(kinds.end(), {Kind::offset, Kind::overflow, Kind::denormals, Kind::infinity, Kind::nan});
  for (const Method method : default_methods)
    for (const Kind kind : kinds)
      for (const Metric metric : all_metrics) {
        walk.add(method, metric, kind, {2600, 6, 33, 100}, method != Method::automatic);
        walk.add(method, metric, kind, {5000, 64, 66, 100});
        walk.add(method, metric, kind, {20001, 33, 40, 20});
        walk.add(method, metric, kind, {4097, 130, 40, 1000});
      }
}

}  // namespace

void add_walk_cases(Cases& cases) {
  Walk walk(cases);
  walk_neighbors(walk);
  walk_rows(walk);
  walk_dimensions(walk);
  walk_queries(walk);
  walk_streamed(walk);
  walk_edges(walk);
}

}  // namespace proxel::conformance
