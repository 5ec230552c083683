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
#include "values.hpp"

namespace proxel::conformance {
namespace {

constexpr std::uint32_t fewest_rows = ScreenedRows::fewest_sampled_rows, share = 16;
// As many as are sampled, or fewer, so that an estimate is worth it; and fewer than are needed.
constexpr std::uint32_t k = 100, misleading_rows = 60;

enum class Order { random, sorted, misleading };
std::string_view to_string(Order order) {
  return order == Order::random ? "random" : order == Order::sorted ? "sorted" : "misleading";
}

struct EstimateCase {
  std::uint32_t n, d, q;
  Metric metric;
  Order order;
  ScreenOperand operand;
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
  if (c.order == Order::misleading)
    // Some rows near all queries, each of which is sampled.
    for (std::uint32_t i = 0; i < misleading_rows; ++i) {
      const std::uint32_t row = passes::screen_sampled_row(i * (c.n / share / misleading_rows), share);
      for (std::uint32_t j = 0; j < c.d; ++j) data.database(row, j) = data.queries(0, j);
    }
  if (c.order == Order::misleading)
    for (std::uint32_t query = 1; query < c.q; ++query)
      std::copy_n(data.queries.data(), c.d, data.queries.data() + std::uint64_t{query} * c.d);
  return data;
}

template <typename Record>
void run(Device& device, const Record& record) {
  const auto commands = device.create_commands(Timing::none);
  commands->begin();
  record(*commands);
  commands->end();
  device.submit(*commands);
  device.wait();
}

struct Planned {
  Neighbors found;
  bool estimates = false;
  std::uint32_t undecided = 0;  // at first
};

Planned search(Device& device, const EstimateCase& c, const Data& data, bool cautious) {
  const auto buffer = [&](std::uint64_t bytes) { return device.create_buffer(bytes, MemoryKind::device); };
  const auto rows = buffer(std::uint64_t{c.n} * c.d * 4), queries = buffer(std::uint64_t{c.q} * c.d * 4);
  const auto indices = buffer(std::uint64_t{c.q} * k * 4), distances = buffer(std::uint64_t{c.q} * k * 4);
  upload(device, *rows, data.database.data());
  upload(device, *queries, data.queries.data());
  const passes::Rows layout = row_major_rows(rows->address(), c.n, c.d);
  ScreenedRows screened(device, c.metric, c.n, c.d, true, 0, c.operand);
  run(device, [&](Recording& recording) { screened.record(recording, layout); });
  SearchDescription description{.metric = c.metric, .rows = c.n, .dimensions = c.d, .queries = c.q, .k = k};
  description.cautious = cautious;
  const ScreenedPlan plan = ScreenedPlan::make(device, description, &screened, layout);
  const auto scratch = buffer(plan.scratch_bytes());
  const auto undecided = device.create_buffer(4, MemoryKind::readback);
  run(device, [&](Recording& recording) {
    const SearchBuffers buffers{*queries, *scratch, *indices, *distances};
    plan.record(recording, layout, buffers);
    recording.barrier();
    recording.copy(buffers.scratch.part(plan.undecided_offset(plan.rescues() ? 0 : 1), 4), *undecided);
  });
  Planned planned{{Matrix<std::uint32_t>(c.q, k), Matrix<float>(c.q, k), {}}, plan.estimates()};
  download(device, *indices, planned.found.indices.data());
  download(device, *distances, planned.found.distances.data());
  planned.undecided = *static_cast<const std::uint32_t*>(undecided->mapped());
  return planned;
}

Verdict run_plan(Device& device, const EstimateCase& c, const Data& data, const Neighbors& expected) {
  if (const Support support = ScreenedRows::supports(device, c.metric, c.n, c.d, c.operand); !support)
    return Verdict::refuse(support);
  for (const bool cautious : {false, true}) {
    const Planned planned = search(device, c, data, cautious);
    if (std::string wrong = difference(expected, planned.found); !wrong.empty()) return Verdict::fail(std::move(wrong));
    const bool estimates = c.n >= fewest_rows && !cautious;
    if (planned.estimates != estimates)
      return Verdict::fail(fmt::format("thresholds are {}estimates", planned.estimates ? "" : "no "));
    const std::uint32_t wanted = estimates && c.order == Order::misleading ? c.q : 0;
    if (planned.undecided != wanted)
      return Verdict::fail(
          fmt::format("{} of {} queries are undecided at first, expected {}", planned.undecided, c.q, wanted));
  }
  return Verdict::pass();
}

// Where the sample misleads an index finds out, and what it does then decides.
Verdict run_index(Device& device, const EstimateCase& c, const Data& data, const Neighbors& expected) {
  Index index(device, data.database.view(), {.method = Method::fused});
  for (int time = 0; time < 3; ++time) {
    Neighbors found = index.search(data.queries.view(), k, c.metric);
    if (std::string wrong = difference(expected, found); !wrong.empty()) return Verdict::fail(std::move(wrong));
    const std::vector<RungCount>& rungs = found.report.rungs;
    const std::uint64_t decided = rungs.empty() ? 0 : rungs.front().queries;
    const std::string method = rungs.empty() ? "" : rungs.front().rung;
    const bool estimates = method == to_string(c.operand);
    const std::uint64_t wanted = estimates && time == 0 ? 0 : c.q;
    if (decided != wanted)
      return Verdict::fail(fmt::format("search {}: {} of {} queries are decided by {}, expected {}", time, decided, c.q,
                                       method, wanted));
  }
  return Verdict::pass();
}

using Run = Verdict (*)(Device&, const EstimateCase&, const Data&, const Neighbors&);

void add(Cases& cases, const char* family, Run run, const EstimateCase& c, bool quick) {
  cases.push_back({fmt::format("{}/{}/{}/{}/n={},d={},q={}", family, to_string(c.operand), to_string(c.metric),
                               to_string(c.order), c.n, c.d, c.q),
                   quick, [=](const Context& context) {
    const auto data = std::make_shared<Data>(make_rows(c, context.seed));
    const auto expected =
        std::make_shared<Neighbors>(oracle_answer({data->database.view(), data->queries.view(), c.metric, k}));
    return make_check([=](Device& device) { return run(device, c, *data, *expected); });
  }});
}

}  // namespace

void add_estimate_cases(Cases& cases) {
  for (const Order order : {Order::random, Order::sorted, Order::misleading})
    for (const ScreenOperand operand : {ScreenOperand::halves, ScreenOperand::uint8})
      add(cases, "estimate/plan", run_plan, {fewest_rows, 24, 7, Metric::l2sq, order, operand}, true);
  // The first number of rows with a sample, and samples whose last tile is full or has one row.
  for (std::uint32_t n : {fewest_rows - 1, fewest_rows + 1, fewest_rows + 2047, fewest_rows + 2048, fewest_rows + 2064,
                          fewest_rows + 2065})
    add(cases, "estimate/plan", run_plan,
        {n, 24, 33, n % 2 == 0 ? Metric::ip : Metric::l2sq, Order::random, ScreenOperand::halves},
        n == fewest_rows - 1);
  add(cases, "estimate/index", run_index, {fewest_rows, 24, 40, Metric::l2sq, Order::misleading, ScreenOperand::halves},
      true);
}

}  // namespace proxel::conformance
