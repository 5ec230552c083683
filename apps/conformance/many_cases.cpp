// Searches of `fused` for more neighbours than a workgroup keeps at hand: k passes by ones over what its passes are
// made for, of few rows and dimensions, of every metric, with ties and duplicates by the thousand.

#include <cstdint>
#include <set>
#include <string>

#include "search_check.hpp"

namespace proxel::conformance {
namespace {

class Many {
 public:
  explicit Many(Cases& cases) : cases_(cases) {}
  void add(Method method, Metric metric, Kind kind, Shape shape, bool quick, std::uint64_t scratch_limit = 0) {
    SearchCase search{method, metric, kind, shape};
    search.family = "many";
    if (scratch_limit != 0) search.options.scratch_limit = scratch_limit;
    if (names_.insert(search.name()).second) add_search_case(cases_, search, quick);
  }

 private:
  Cases& cases_;
  std::set<std::string> names_;
};

}  // namespace

void add_many_cases(Cases& cases) {
  Many many(cases);
  // What is sorted at once and counted (1,024), runs of keys (1,024 and 2,048), rounds of merging, the limit.
  constexpr std::uint64_t limits[] = {1024, 2048, 4096, 16384};
  for (const std::uint64_t limit : limits)
    for (std::uint64_t k = limit - 1; k <= limit + 1; ++k)
      for (const Metric metric : {Metric::l2sq, Metric::ip, Metric::l1}) {
        // Four rows for each neighbour, and sixteen for canonical thresholds alone.
        const std::uint64_t rows = (metric == Metric::l1 ? 16 : 4) * k + 7;
        many.add(Method::fused, metric, Kind::gaussian, {rows, 5, 3, k},
                 limit <= 2048 && k == limit + 1 && metric == Metric::l2sq);
        if (metric != Metric::l1) many.add(Method::fused, metric, Kind::integers, {rows, 3, 2, k}, false);
      }
  // As many rows as are needed, and one less, for which another method is named.
  for (const std::uint64_t rows : {4 * 1100 - 1, 4 * 1100, 4 * 1100 + 1})
    many.add(Method::fused, Metric::l2sq, Kind::gaussian, {rows, 17, 33, 1100}, rows == 4400);
  // Few rows beyond the neighbours: other methods answer.
  for (const std::uint64_t k : {1025u, 4097u})
    many.add(Method::automatic, Metric::l2sq, Kind::tied, {k + 1, 3, 33, k}, false);
  // Boxes, whose lists a processor has in memory.
  for (const Metric metric : {Metric::l2sq, Metric::l1, Metric::linf})
    for (const std::uint64_t k : {1024u, 1025u, 4999u, 5000u, 5001u})
      for (const Kind kind : {Kind::gaussian, Kind::tied, Kind::duplicates})
        many.add(Method::bvh, metric, kind, {5000, 3, 70, k},
                 k == 1025 && metric == Metric::l2sq && kind == Kind::tied);
  std::size_t step = 0;
  for (const Metric metric : all_metrics) {
    const std::uint64_t rows = metric == Metric::l1 || metric == Metric::linf ? 21000 : 9000;
    for (const Kind kind : all_kinds) many.add(Method::fused, metric, kind, {rows, 6, 3, 1300}, step++ % 17 == 0);
    for (const Kind kind : edge_kinds) many.add(Method::fused, metric, kind, {rows, 9, 5, 1030}, false);
    // More queries than are scanned where nothing else decides them: the others have thresholds, or are tied behind these.
    for (const Kind kind : {Kind::offset, Kind::duplicates, Kind::tied})
      many.add(Method::fused, metric, kind, {rows, 9, 140, 1030}, metric == Metric::l2sq && kind == Kind::offset);
    // Blocks of queries.
    many.add(Method::fused, metric, Kind::gaussian, {rows, 33, 300, 1100}, false, std::uint64_t{1} << 20);
    many.add(Method::automatic, metric, Kind::gaussian, {60000, 24, 40, 3000}, false);
  }
}

}  // namespace proxel::conformance
