// Searches whose thresholds are estimates: of rows in an order, of rows whose sample misleads, around the number from which on there is
// a sample. What is not borne out has to be mended, and an index has to stop to estimate where that happens often.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "case.hpp"
#include "oracle.hpp"
#include "proxel/index.hpp"
#include "proxel/passes/screen_sample.h"
#include "proxel/screened.hpp"
#include "row_filter.hpp"
#include "screened_search.hpp"
#include "values.hpp"

namespace proxel::conformance {
namespace {

constexpr std::uint32_t fewest_rows = ScreenedRows::fewest_sampled_rows, share = 16;
// sorted: by a coordinate; periodic: classes by turns, runs of as many rows as a stratum has; outliers: a few rows far
// from all others; misleading: all that is near is sampled, and less than is needed; wide: the largest value, by which the step of codes is
// measured, is as far out as once in some 500 databases.
enum class Order { random, sorted, periodic, outliers, misleading, wide };
constexpr std::string_view names[] = {"random", "sorted", "periodic", "outliers", "misleading", "wide"};
std::string_view to_string(Order order) { return names[static_cast<int>(order)]; }

struct EstimateCase {
  std::uint32_t n, d, q;
  Metric metric;
  Order order;
  ScreenOperand operand;
  FilterKind filter = FilterKind::none;
  std::uint32_t k = 100;
  bool estimates = true;  // whether thresholds are, where rows are enough
};

Data make_rows(const EstimateCase& c, std::uint64_t seed) {
  const bool integers = holds_integers(c.operand);
  Data data = make_data(integers ? Kind::bytes : Kind::gaussian, c.n, c.d, c.q, seed);
  if (c.order == Order::sorted) {
    std::vector<std::uint32_t> order(c.n);
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(), order.end(),
              [&](std::uint32_t a, std::uint32_t b) { return data.database(a, 0) < data.database(b, 0); });
    Matrix<float> sorted(c.n, c.d);
    for (std::uint32_t row = 0; row < c.n; ++row)
      std::copy_n(data.database.data() + std::uint64_t{order[row]} * c.d, c.d,
                  sorted.data() + std::uint64_t{row} * c.d);
    data.database = std::move(sorted);
  }
  if (c.order == Order::misleading) {
    // Some rows near all queries, each of which is sampled.
    const std::uint32_t near = c.k * 6 / 10;
    for (std::uint32_t i = 0; i < near; ++i) {
      // Of codes whole tiles are sampled, one in so many.
      const std::uint32_t tiles = c.n / passes::tile_rows / share;
      const std::uint32_t row = c.operand == ScreenOperand::codes
                                    ? i % tiles * share * passes::tile_rows + i / tiles * 64
                                    : passes::screen_sampled_row(i * (c.n / share / near), share);
      for (std::uint32_t j = 0; j < c.d; ++j) data.database(row, j) = data.queries(0, j);
    }
    for (std::uint32_t query = 1; query < c.q; ++query)
      std::copy_n(data.queries.data(), c.d, data.queries.data() + std::uint64_t{query} * c.d);
  }
  if (c.order == Order::periodic) {
    constexpr std::uint32_t classes = 8;
    for (std::uint32_t row = 0; row < c.n; ++row) data.database(row, row / share % classes) += 12;
    for (std::uint32_t query = 0; query < c.q; ++query) data.queries(query, query % classes) += 12;
  }
  if (c.order == Order::wide) data.database(0, 0) = 5.5f;
  if (c.order == Order::outliers)
    for (std::uint32_t i = 0; i < 4; ++i)
      for (std::uint32_t j = 0; j < c.d; ++j) data.database(i * (c.n / 4) + 77, j) *= 300;
  return data;
}

Verdict run_plan(Device& device, const EstimateCase& c, const Data& data, const Matrix<std::uint8_t>& filter,
                 const Neighbors& expected) {
  if (const Support support = ScreenedRows::supports(device, c.metric, c.n, c.d, c.operand); !support)
    return Verdict::refuse(support);
  std::uint32_t most = 0;  // undecided by certain thresholds, which errors alone leave so
  for (const bool cautious : {true, false}) {
    SearchDescription description{.metric = c.metric, .rows = c.n, .dimensions = c.d, .queries = c.q, .k = c.k};
    description.cautious = cautious;
    description.filter = c.filter;
    // Not every device has codes of many queries.
    const bool many_on_codes = c.operand == ScreenOperand::codes && c.q > ScreenedPlan::most_listed_queries;
    if (const Support support = ScreenedPlan::supports(device, description, c.operand); many_on_codes && !support)
      return Verdict::refuse(support);
    const ScreenedAnswer planned = search_screened(device, description, c.operand, data, filter);
    if (std::string wrong = difference(expected, planned.found); !wrong.empty()) return Verdict::fail(std::move(wrong));
    // A processor lists what codes leave, of which fewer more than k are needed: its estimates of few neighbours begin sooner.
    const bool sooner = c.operand == ScreenOperand::codes && device.info().backend == BackendKind::cpu && c.k >= 11;
    const bool estimates = c.n >= fewest_rows && !cautious && (c.estimates || sooner);
    if (planned.estimates != estimates)
      return Verdict::fail(fmt::format("thresholds are {}estimates", planned.estimates ? "" : "no "));
    if (cautious) most = c.order == Order::outliers ? planned.undecided : 0;
    const std::uint32_t least = estimates && c.order == Order::misleading ? c.q : 0;
    if (planned.undecided < least || planned.undecided > std::max(least, most))
      return Verdict::fail(fmt::format("{} thresholds leave {} of {} queries undecided at first, expected {} to {}",
                                       cautious ? "certain" : "estimated", planned.undecided, c.q, least,
                                       std::max(least, most)));
  }
  return Verdict::pass();
}

// Where the sample misleads an index finds out, and what it does then decides.
Verdict run_index(Device& device, const EstimateCase& c, const Data& data, const Matrix<std::uint8_t>&,
                  const Neighbors& expected) {
  Index index(device, data.database.view(), {.method = Method::fused});
  for (int time = 0; time < 3; ++time) {
    Neighbors found = index.search(data.queries.view(), c.k, c.metric);
    if (std::string wrong = difference(expected, found); !wrong.empty()) return Verdict::fail(std::move(wrong));
    const std::vector<RungCount>& rungs = found.report.rungs;
    const std::uint64_t decided = rungs.empty() ? 0 : rungs.front().queries;
    const std::string method = rungs.empty() ? "" : rungs.front().rung;
    const bool estimates = method == to_string(c.operand);
    // Where half precision is sooner for few queries there are no codes that could be given up; by l1 there is none.
    const bool sooner = c.metric != Metric::l1 && method == to_string(ScreenOperand::halves);
    if (c.operand == ScreenOperand::codes && !estimates && !sooner) return Verdict::fail("decided by " + method);
    const std::uint64_t wanted = estimates && time == 0 ? 0 : c.q;
    if (decided != wanted)
      return Verdict::fail(fmt::format("search {}: {} of {} queries are decided by {}, expected {}", time, decided, c.q,
                                       method, wanted));
  }
  return Verdict::pass();
}

// Filters that leave fewer rows than a threshold needs, none, one, k - 1 or k, beside such as leave half of the rows or all: the former are
// scanned without a canonical threshold.
void add_sparse(Cases& cases, ScreenOperand operand, Metric metric, std::uint32_t n, bool quick) {
  constexpr std::uint32_t d = 24, q = 200, k = 100;
  const bool integers = holds_integers(operand);
  add_screened(cases, fmt::format("estimate/sparse/{}/{}/n={}", to_string(operand), to_string(metric), n), quick,
               {n, q, k, metric, FilterKind::per_query, FilterPattern::counted}, [=](std::uint64_t seed) {
    return make_data(integers ? Kind::bytes : Kind::gaussian, n, d, q, seed);
  }, [=](Device& device, const Data& data, const Matrix<std::uint8_t>& filter, const Neighbors& expected) {
    if (const Support support = ScreenedRows::supports(device, metric, n, d, operand); !support)
      return Verdict::refuse(support);
    SearchDescription description{.metric = metric, .rows = n, .dimensions = d, .queries = q, .k = k};
    description.filter = FilterKind::per_query;
    if (const Support support = ScreenedPlan::supports(device, description, operand); !support)
      return Verdict::refuse(support);
    const ScreenedAnswer planned = search_screened(device, description, operand, data, filter);
    if (std::string wrong = difference(expected, planned.found); !wrong.empty()) return Verdict::fail(std::move(wrong));
    std::uint32_t sparse = 0;
    for (std::uint32_t query = 0; query < q; ++query) {
      const std::uint8_t* const allowed = filter.data() + std::uint64_t{query} * n;
      sparse += std::count(allowed, allowed + n, 0) >= n - std::int64_t{k} ? 1 : 0;
    }
    const auto [others, scanned, of_few_rows] = planned.told;
    if (others != 0 || scanned != sparse || of_few_rows != sparse || planned.undecided != sparse)
      return Verdict::fail(
          fmt::format("of {} queries {} were undecided, {} left to canonical thresholds and {} to the scan, {} of "
                      "which have filters that leave few rows; {} have",
                      q, planned.undecided, others, scanned, of_few_rows, sparse));
    return Verdict::pass();
  });
}

using Run = Verdict (*)(Device&, const EstimateCase&, const Data&, const Matrix<std::uint8_t>&, const Neighbors&);

void add(Cases& cases, const char* family, Run run, const EstimateCase& c, bool quick) {
  add_screened(cases,
               fmt::format("{}/{}/{}/{}/n={},d={},q={},k={}", family, to_string(c.operand), to_string(c.metric),
                           to_string(c.order), c.n, c.d, c.q, c.k),
               quick, {c.n, c.q, c.k, c.metric, c.filter}, [=](std::uint64_t seed) { return make_rows(c, seed); },
               [=](Device& device, const Data& data, const Matrix<std::uint8_t>& filter, const Neighbors& expected) {
    return run(device, c, data, filter, expected);
  });
}

}  // namespace

void add_estimate_cases(Cases& cases) {
  const auto add_plan = [&](const EstimateCase& c, bool quick) { add(cases, "estimate/plan", run_plan, c, quick); };
  for (const Order order : {Order::random, Order::sorted, Order::misleading, Order::outliers, Order::periodic})
    for (const ScreenOperand operand : {ScreenOperand::halves, ScreenOperand::uint8})
      if (operand == ScreenOperand::halves || order < Order::periodic)
        add_plan({fewest_rows, 24, 7, Metric::l2sq, order, operand},
                 order != Order::sorted && operand == ScreenOperand::halves);
  for (const std::uint32_t n : {fewest_rows / 4, fewest_rows + 1}) {
    for (const Metric metric : {Metric::l2sq, Metric::ip})
      for (const ScreenOperand operand : {ScreenOperand::halves, ScreenOperand::uint8})
        add_sparse(cases, operand, metric, n,
                   n < fewest_rows && metric == Metric::l2sq && operand == ScreenOperand::halves);
    for (const Metric metric : {Metric::l1, Metric::linf})
      add_sparse(cases, ScreenOperand::codes, metric, n, n < fewest_rows && metric == Metric::l1);
  }
  // All, every second, fourth and eighth tile of the sample.
  for (const std::uint32_t q : {1u, 4u, 16u, 64u, 256u})
    add_plan({fewest_rows, 24, q, Metric::l2sq, Order::periodic, ScreenOperand::halves}, false);
  add_plan({2 * fewest_rows, 24, 16, Metric::l2sq, Order::periodic, ScreenOperand::halves}, false);
  for (const FilterKind filter : {FilterKind::shared, FilterKind::per_query})
    for (const ScreenOperand operand : {ScreenOperand::halves, ScreenOperand::uint8})
      add_plan({fewest_rows, 24, 7, Metric::l2sq, Order::random, operand, filter},
               filter == FilterKind::shared && operand == ScreenOperand::halves);
  // Neighbours that are counted.
  for (const Order order : {Order::random, Order::misleading})
    add_plan({4 * fewest_rows, 24, 3, Metric::l2sq, order, ScreenOperand::halves, FilterKind::none, 300}, false);
  for (const Metric metric : {Metric::l2sq, Metric::l1, Metric::linf, Metric::ip})
    for (const std::uint32_t q : {1u, 2u, 4u})
      add_plan({fewest_rows, 24, q, metric, Order::random, ScreenOperand::codes}, metric == Metric::l1 && q == 2);
  for (const Order order : {Order::sorted, Order::misleading, Order::outliers})
    add_plan({fewest_rows, 24, 3, order == Order::sorted ? Metric::l1 : Metric::l2sq, order, ScreenOperand::codes},
             order == Order::misleading);
  // Around the first numbers of neighbours for which the rank of an estimate is small enough, 12 and from 14 on, and up to the last that codes
  // serve.
  for (const std::uint32_t k : {1u, 10u, 11u, 12u, 13u, 14u, 32u, 63u, 64u, 65u, 127u, 128u})
    add_plan({fewest_rows, 12, 1, Metric::l2sq, Order::random, ScreenOperand::codes, FilterKind::none, k,
              k == 12 || k >= 14},
             false);
  for (const FilterKind filter : {FilterKind::shared, FilterKind::per_query})
    add_plan({fewest_rows, 24, 4, Metric::l2, Order::random, ScreenOperand::codes, filter}, false);
  // More rows than a workgroup keeps of few queries, or in 32 KiB of shared memory, are within the error of codes.
  for (const std::uint32_t q : {20u, 300u})
    add_plan({4096, 512, q, Metric::l1, Order::random, ScreenOperand::codes, FilterKind::none, 17, false}, q == 20);
  // A third more of what is expected is within the error of a wide step, the more the fewer of all rows are near.
  for (const std::uint32_t k : {10u, 100u, 256u, 257u, 1000u, 4096u})
    add_plan({fewest_rows - 1, 64, 20, Metric::l1, Order::wide, ScreenOperand::codes, FilterKind::none, k, false},
             k == 257);
  for (const std::uint32_t d : {128u, 256u})
    add_plan({fewest_rows - 1, d, 130, Metric::l1, Order::wide, ScreenOperand::codes, FilterKind::none, 300, false},
             false);
  // The first number of rows with a sample, and samples whose last tile is full or has one row.
  for (const std::uint32_t more : {0u, 2u, 2048u, 2049u, 2065u, 2066u}) {
    const std::uint32_t n = fewest_rows - 1 + more;
    add_plan({n, 24, 33, n % 2 == 0 ? Metric::ip : Metric::l2sq, Order::random, ScreenOperand::halves}, false);
  }
  add(cases, "estimate/index", run_index, {fewest_rows, 24, 40, Metric::l2sq, Order::misleading, ScreenOperand::halves},
      true);
  for (const Metric metric : {Metric::l2sq, Metric::l1})
    add(cases, "estimate/index", run_index, {fewest_rows, 24, 4, metric, Order::misleading, ScreenOperand::codes},
        false);
}

}  // namespace proxel::conformance
