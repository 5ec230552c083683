// Searches that are told how far the nearest of each query lie at most.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <doctest/doctest.h>

#include "proxel/index.hpp"
#include "proxel/screened.hpp"
#include "refused.hpp"
#include "session/run_once.hpp"
#include "support.hpp"

using namespace proxel;
using namespace proxel::unit;

namespace {

constexpr std::uint32_t rows = 1500, dimensions = 37, queries = 140;
constexpr std::uint64_t k = 9;

struct Fixture {
  std::unique_ptr<Device> device = open_device("cpu");
  Matrix<float> database = make_values(rows, dimensions, Temper::uniform, 1);
  Matrix<float> asked = make_values(queries, dimensions, Temper::uniform, 2);
  std::unique_ptr<Buffer> row_buffer, query_buffer, indices, distances, bounds;
  passes::Rows layout{};
  Neighbors nearest;  // of the scan
  bool unsampled = false;

  explicit Fixture(bool of_integers) {
    if (of_integers)
      for (Matrix<float>* matrix : {&database, &asked})
        std::for_each(matrix->data(), matrix->data() + matrix->rows() * dimensions,
                      [](float& value) { value = static_cast<float>(static_cast<int>(127 * value)); });
    row_buffer = device->create_buffer(std::uint64_t{4} * rows * dimensions, MemoryKind::device);
    query_buffer = device->create_buffer(std::uint64_t{4} * queries * dimensions, MemoryKind::device);
    indices = device->create_buffer(4 * queries * k, MemoryKind::device);
    distances = device->create_buffer(4 * queries * k, MemoryKind::device);
    bounds = device->create_buffer(4 * queries, MemoryKind::device);
    upload(*device, *row_buffer, database.data());
    upload(*device, *query_buffer, asked.data());
    layout = row_major_rows(row_buffer->address(), rows, dimensions);
    nearest = Index(*device, database.view(), {.method = Method::scan}).search(asked.view(), k, Metric::l2sq);
  }

  SearchDescription description() const {
    SearchDescription wanted;
    wanted.rows = rows;
    wanted.dimensions = dimensions;
    wanted.queries = queries;
    wanted.k = k;
    wanted.bounded = true;
    wanted.unsampled = unsampled;
    return wanted;
  }

  // Searches with those bounds. Returns how many queries were not decided at once.
  std::uint32_t search(ScreenOperand operand, const std::vector<float>& known, Neighbors& found) {
    ScreenedRows screened(*device, Metric::l2sq, rows, dimensions, true, 0, operand);
    session::run_once(*device, [&](Recording& recording) { screened.record(recording, layout); });
    const ScreenedPlan plan = ScreenedPlan::make(*device, description(), &screened, layout);
    const auto scratch = device->create_buffer(plan.scratch_bytes(), MemoryKind::device);
    upload(*device, *bounds, known.data());
    SearchBuffers buffers{*query_buffer, *scratch, *indices, *distances};
    buffers.bounds = *bounds;
    const auto counted = device->create_buffer(4, MemoryKind::readback);
    const auto told = device->create_buffer(16, MemoryKind::readback);
    const unsigned rung = plan.rescues() ? 0 : 1;
    session::run_once(*device, [&](Recording& recording) {
      for (const BufferView& wrong : {BufferView(*told, 0, 8), BufferView(*told, 2, 12)})
        check_refused([&] { plan.record(recording, layout, buffers, wrong); }, "told");
      plan.record(recording, layout, buffers, BufferView(*told, 0, 12));
      recording.barrier();
      recording.copy(buffers.scratch.part(plan.undecided_offset(rung), 4), *counted);
    });
    CHECK(static_cast<const std::uint32_t*>(told->mapped())[rung] ==
          *static_cast<const std::uint32_t*>(counted->mapped()));
    found = {Matrix<std::uint32_t>(queries, k), Matrix<float>(queries, k), {}};
    download(*device, *indices, found.indices.data());
    download(*device, *distances, found.distances.data());
    return *static_cast<const std::uint32_t*>(counted->mapped());
  }
};

}  // namespace

TEST_CASE("rows up to a known distance are found, whatever the distance is, and are few where it is short") {
  constexpr float infinity = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  for (const bool of_integers : {false, true}) {
    Fixture fixture(of_integers);
    const ScreenOperand operand = of_integers ? ScreenOperand::int8 : ScreenOperand::halves;
    Neighbors found;
    // The distance of the k-th itself, of those before it, and of those beyond; below the nearest; nothing.
    for (const std::uint64_t rank : {k - 1, k - 2, std::uint64_t{0}}) {
      CAPTURE(rank);
      std::vector<float> known(queries);
      for (std::uint64_t query = 0; query < queries; ++query) known[query] = fixture.nearest.distances(query, rank);
      CHECK(fixture.search(operand, known, found) == 0);
      for (std::uint64_t query = 0; query < queries; ++query)
        for (std::uint64_t place = 0; place <= rank; ++place) {
          CHECK(found.indices(query, place) == fixture.nearest.indices(query, place));
          CHECK(found.distances(query, place) == fixture.nearest.distances(query, place));
        }
    }
    CHECK(fixture.search(operand, std::vector<float>(queries, 0.0f), found) == 0);
    CHECK(found.indices(0, 0) == no_neighbor);
    CHECK(std::all_of(found.indices.data(), found.indices.data() + queries * k,
                      [](std::uint32_t index) { return index == no_neighbor; }));
    std::vector<float> mixed(queries);
    for (std::uint64_t query = 0; query < queries; ++query)
      mixed[query] = query % 4 == 0   ? fixture.nearest.distances(query, k - 1)
                     : query % 4 == 1 ? infinity
                     : query % 4 == 2 ? nan
                                      : -1.0f;
    CHECK(fixture.search(operand, mixed, found) == 0);
    check_same(found, fixture.nearest);
    // So far that lists overflow, which another rung mends.
    fixture.search(operand, std::vector<float>(queries, 3e38f), found);
    check_same(found, fixture.nearest);
    fixture.search(operand, std::vector<float>(queries, 2 * fixture.nearest.distances(0, k - 1)), found);
    check_same(found, fixture.nearest);
  }
}

TEST_CASE("bounds that are missing are named") {
  Fixture fixture(false);
  const ScreenedPlan plan = ScreenedPlan::make(*fixture.device, fixture.description(), nullptr, fixture.layout);
  const auto scratch = fixture.device->create_buffer(plan.scratch_bytes(), MemoryKind::device);
  const SearchBuffers buffers{*fixture.query_buffer, *scratch, *fixture.indices, *fixture.distances};
  check_refused([&] {
    session::run_once(*fixture.device, [&](Recording& recording) { plan.record(recording, fixture.layout, buffers); });
  }, "bounds buffer");
}

TEST_CASE(
    "where known distances are all there is, a query has what lies within its own, and others are said to be "
    "undecided") {
  constexpr float infinity = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  for (const bool of_integers : {false, true}) {
    Fixture fixture(of_integers);
    fixture.unsampled = true;
    const ScreenOperand operand = of_integers ? ScreenOperand::int8 : ScreenOperand::halves;
    Neighbors found;
    std::vector<float> known(queries);
    for (std::uint64_t query = 0; query < queries; ++query) known[query] = fixture.nearest.distances(query, k - 1);
    CHECK(fixture.search(operand, known, found) == 0);
    check_same(found, fixture.nearest);
    // Nothing known, and so much that all rows lie within it.
    for (std::uint64_t query = 0; query < queries; query += 3)
      known[query] = query % 4 == 0 ? nan : query % 4 == 1 ? infinity : query % 4 == 2 ? -1.0f : 1e30f;
    CHECK(fixture.search(operand, known, found) == (queries + 2) / 3);
    for (std::uint64_t query = 0; query < queries; ++query)
      for (std::uint64_t place = 0; place < k; ++place)
        CHECK(found.indices(query, place) == (query % 3 == 0 ? no_neighbor : fixture.nearest.indices(query, place)));
  }
}

TEST_CASE("parts of the rows are searched without a sample from the second on, until rows in an order ask for one") {
  const auto device = open_device("cpu");
  constexpr std::uint64_t part = 256, all = 4 * part + 17;
  const Matrix<float> asked = make_values(40, dimensions, Temper::uniform, 2);
  struct {
    const char* name;
    bool ordered, reversed, positive, with_nan;
    bool sampled, sampled_by_ip;  // every part, not the first alone
  } const cases[] = {{"as they come", false, false, false, false, false, false},
                     {"near ones first", true, false, false, false, false, false},
                     {"far ones first", true, true, false, false, true, false},
                     {"small ones first", true, false, true, false, false, true},
                     {"large ones first", true, true, true, false, true, false},
                     {"with a query of NaN", false, false, false, true, true, true}};
  for (const auto& one : cases) {
    CAPTURE(one.name);
    Matrix<float> database = make_values(all, dimensions, Temper::uniform, 1);
    // Each row shorter, or longer, than the one before.
    for (std::uint64_t row = 0; one.ordered && row < all; ++row)
      for (std::uint64_t i = 0; i < dimensions; ++i)
        database(row, i) *= 1 + static_cast<float>(one.reversed ? all - row : row);
    Matrix<float> queries_now = asked;
    // Then the largest have the largest products, with every query.
    const auto make_positive = [](float& value) { value = std::fabs(value); };
    if (one.positive) {
      std::for_each_n(database.data(), all * dimensions, make_positive);
      std::for_each_n(queries_now.data(), 40 * dimensions, make_positive);
    }
    if (one.with_nan) queries_now(7, 3) = std::numeric_limits<float>::quiet_NaN();
    Index whole(*device, database.view(), {.method = Method::scan});
    Index blocks(*device, database.view(),
                 {.method = Method::fused, .memory_limit = 2 * part * dimensions * 4, .timing = Timing::passes});
    REQUIRE(blocks.block_rows() == part);
    for (const Metric metric : {Metric::l2sq, Metric::l2, Metric::ip})
      for (int again = 0; again < 2; ++again) {
        CAPTURE(to_string(metric));
        const Neighbors found = blocks.search(queries_now.view(), k, metric);
        check_same(found, whole.search(queries_now.view(), k, metric));
        const auto thresholds = std::ranges::count_if(
            found.report.times.passes, [](const PassTime& time) { return time.name == "screen_threshold"; });
        // Half precision's: of so few queries what it leaves undecided is scanned.
        constexpr std::uint64_t parts = 6;
        const bool every = metric == Metric::ip ? one.sampled_by_ip : one.sampled;
        // On a processor the second search begins with two smaller parts. Of the second one's 128 rows a query's list has room for all.
        const std::uint64_t sampled = !every ? 1 : again == 0 || one.with_nan ? parts : parts - 1;
        CHECK(static_cast<std::uint64_t>(thresholds) == sampled);
        std::uint64_t decided = 0;
        for (const RungCount& rung : found.report.rungs) {
          CHECK(rung.rung != "undecided");
          decided += rung.queries;
        }
        CHECK(decided == 40 * parts);
      }
  }
}
