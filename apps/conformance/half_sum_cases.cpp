// Searches whose products are summed up in half precision: around the numbers of rows, queries, dimensions and neighbours for which
// they are, and an index that has to stop that where too many rows are within the error.
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>

#include <fmt/format.h>

#include "case.hpp"
#include "oracle.hpp"
#include "proxel/index.hpp"
#include "proxel/passes/screen_tiles.h"
#include "screened_search.hpp"
#include "values.hpp"

namespace proxel::conformance {
namespace {

struct HalfSumCase {
  std::uint32_t n, d, q, k;
  Metric metric;
  bool within = true;  // whether sums in half precision are for it, where a device has them
  FilterKind filter = FilterKind::none;
  bool clustered = false;
};

// Whether the device sums products of halves up in half precision.
bool sums_in_halves(const Device& device) {
  passes::ScreenTilesParameters probe{};
  probe.depth_blocks = probe.depth_steps = probe.query_count = probe.splits = 1;
  for (const std::uint32_t queries : {128u, 256u})
    if (device.supports(passes::make_screen_tiles(probe, passes::ScreenValues::halves,
                                                  passes::ScreenArithmetic::half_sums, passes::ScreenPurpose::collect,
                                                  4, queries)))
      return true;
  return false;
}

// Clusters of 512 rows, about as far from each other as from the origin. All coordinates are halves of odd numbers, which half
// precision has, so that nothing but sums has errors: larger than the clusters.
Data make_clusters(const HalfSumCase& c, std::uint64_t seed) {
  Data data = make_data(Kind::uniform, c.n, c.d, c.q, seed);
  const std::uint32_t clusters = c.n / 512;
  const Matrix<float> centres = make_data(Kind::uniform, clusters, c.d, 1, seed + 2).database;
  const auto place = [&](Matrix<float>& rows, std::uint64_t row) {
    for (std::uint32_t i = 0; i < c.d; ++i) {
      const float centre = std::floor(100 * centres(row % clusters, i));
      rows(row, i) = centre + std::floor(16 * rows(row, i)) + 0.5f;
    }
  };
  for (std::uint32_t row = 0; row < c.n; ++row) place(data.database, row);
  for (std::uint32_t query = 0; query < c.q; ++query) place(data.queries, query);
  return data;
}

Verdict run_plan(Device& device, const HalfSumCase& c, const Data& data, const Matrix<std::uint8_t>& filter,
                 const Neighbors& expected) {
  if (const Support support = ScreenedRows::supports(device, c.metric, c.n, c.d, ScreenOperand::halves); !support)
    return Verdict::refuse(support);
  SearchDescription description{.metric = c.metric, .rows = c.n, .dimensions = c.d, .queries = c.q, .k = c.k};
  description.filter = c.filter;
  for (const bool binary32 : {false, true}) {
    description.binary32_sums = binary32;
    const ScreenedAnswer answer = search_screened(device, description, ScreenOperand::halves, data, filter);
    if (std::string wrong = difference(expected, answer.found); !wrong.empty()) return Verdict::fail(std::move(wrong));
    if (answer.half_sums != (c.within && !binary32 && sums_in_halves(device)))
      return Verdict::fail(fmt::format("sums are {}of half precision", answer.half_sums ? "" : "not "));
    if (answer.undecided != 0) return Verdict::fail(fmt::format("{} queries are undecided at first", answer.undecided));
  }
  return Verdict::pass();
}

// What sums in half precision leave undecided an index decides by others, from the second search on.
Verdict run_index(Device& device, const HalfSumCase& c, const Data& data, const Matrix<std::uint8_t>&,
                  const Neighbors& expected) {
  Index index(device, data.database.view(), {.method = Method::fused});
  std::uint64_t decided[3] = {};
  for (std::uint64_t& of_search : decided) {
    Neighbors found = index.search(data.queries.view(), c.k, c.metric);
    if (std::string wrong = difference(expected, found); !wrong.empty()) return Verdict::fail(std::move(wrong));
    const std::vector<RungCount>& rungs = found.report.rungs;
    if (!rungs.empty() && rungs.front().rung == to_string(ScreenOperand::halves)) of_search = rungs.front().queries;
  }
  if (!sums_in_halves(device)) return Verdict::pass();
  if (2 * decided[0] < c.q && 10 * decided[1] > 9 * c.q && decided[2] == decided[1]) return Verdict::pass();
  return Verdict::fail(
      fmt::format("of {} queries {}, {} and {} are decided at first", c.q, decided[0], decided[1], decided[2]));
}

using Run = Verdict (*)(Device&, const HalfSumCase&, const Data&, const Matrix<std::uint8_t>&, const Neighbors&);

void add(Cases& cases, const char* family, Run run, const HalfSumCase& c) {
  add_screened(cases, fmt::format("{}/{}/n={},d={},q={},k={}", family, to_string(c.metric), c.n, c.d, c.q, c.k), false,
               {c.n, c.q, c.k, c.metric, c.filter}, [=](std::uint64_t seed) {
    return c.clustered ? make_clusters(c, seed) : make_data(Kind::gaussian, c.n, c.d, c.q, seed);
  }, [=](Device& device, const Data& data, const Matrix<std::uint8_t>& filter, const Neighbors& expected) {
    return run(device, c, data, filter, expected);
  });
}

}  // namespace

void add_half_sum_cases(Cases& cases) {
  constexpr std::uint32_t fewest_rows = ScreenedRows::fewest_sampled_rows, fewest_queries = 257;
  const auto add_plan = [&](const HalfSumCase& c) { add(cases, "half-sums/plan", run_plan, c); };
  // The dimensions from which on and up to which they are, those of which rows are split and no longer, and steps of 16.
  for (const std::uint32_t d : {8u, 9u, 16u, 17u, 21u, 22u, 32u, 33u, 64u, 65u, 96u, 97u, 127u, 128u, 129u})
    add_plan({fewest_rows, d, fewest_queries, 20, d % 2 == 0 ? Metric::l2sq : Metric::l2, d >= 9 && d <= 128});
  for (const std::uint32_t q : {fewest_queries - 1, fewest_queries, 300u, 513u})
    add_plan({fewest_rows + 77, 24, q, 5, Metric::l2sq, q >= fewest_queries});
  add_plan({fewest_rows - 1, 24, 300, 20, Metric::l2sq, false});
  for (const std::uint32_t k : {1u, 100u, 256u, 257u}) add_plan({fewest_rows, 24, 300, k, Metric::l2sq, k <= 256});
  add_plan({fewest_rows, 24, 300, 20, Metric::ip, false});
  // More ranks of estimates, and filters.
  for (const std::uint32_t d : {12u, 24u, 100u}) add_plan({fewest_rows + 77, d, 270, 100, Metric::l2sq});
  for (const FilterKind filter : {FilterKind::shared, FilterKind::per_query})
    add_plan({fewest_rows + 77, 40, 260, 20, Metric::l2sq, true, filter});
  add(cases, "half-sums/index", run_index, {fewest_rows, 128, 300, 20, Metric::l2sq, true, FilterKind::none, true});
}

}  // namespace proxel::conformance
