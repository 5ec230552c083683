// Two sets that search each other: normalised rows, raw answers, and what is refused.

#include "proxel/index.hpp"
#include "proxel/papers/komarov.hpp"
#include "refused.hpp"
#include "support.hpp"

using namespace proxel;
using namespace proxel::unit;

namespace {

struct Fixture {
  std::unique_ptr<Device> device = open_device("cpu");
  Matrix<float> rows = unit_rows(150, 1), queries = unit_rows(90, 2);
  SearchDescription description{.metric = Metric::cosine, .rows = 150, .dimensions = 6, .queries = 90, .k = 8};

  static Matrix<float> unit_rows(std::uint64_t count, std::uint32_t seed) {
    Matrix<float> values = make_values(count, 6, Temper::uniform, seed);
    for (std::uint64_t row = 0; row < count; ++row) {
      float square = 0;
      for (std::uint64_t i = 0; i < 6; ++i) square += values(row, i) * values(row, i);
      for (std::uint64_t i = 0; i < 6; ++i) values(row, i) /= std::sqrt(square);
    }
    return values;
  }

  std::unique_ptr<Buffer> buffer(std::uint64_t bytes, const void* values = nullptr) {
    auto made = device->create_buffer(bytes, MemoryKind::device);
    if (values) upload(*device, *made, values);
    return made;
  }
  Neighbors read(Buffer& indices, Buffer& distances, std::uint64_t asked) {
    Neighbors found{Matrix<std::uint32_t>(asked, description.k), Matrix<float>(asked, description.k)};
    download(*device, indices, found.indices.data());
    download(*device, distances, found.distances.data());
    return found;
  }
  template <typename Record>
  void run(const Record& record) {
    const auto commands = device->create_commands(Timing::none);
    commands->begin();
    record(*commands);
    commands->end();
    device->submit(*commands);
    device->wait();
  }

  // By the plan of one search.
  template <typename Plan>
  Neighbors alone(const Matrix<float>& database, const Matrix<float>& asking) {
    SearchDescription one = description;
    one.rows = database.rows();
    one.queries = static_cast<std::uint32_t>(asking.rows());
    const auto stored = buffer(database.rows() * 24, database.data()),
               asked = buffer(asking.rows() * 24, asking.data());
    const RowsSegment segment{row_major_rows(stored->address(), database.rows(), 6), 0};
    const Plan plan = Plan::make(*device, one, {&segment, 1});
    const auto scratch = buffer(std::max<std::uint64_t>(plan.scratch_bytes(), 4)),
               indices = buffer(asking.rows() * one.k * 4), distances = buffer(asking.rows() * one.k * 4);
    SearchBuffers buffers;
    buffers.queries = *asked;
    buffers.scratch = *scratch;
    buffers.indices = *indices;
    buffers.distances = *distances;
    run([&](Recording& recording) { plan.record(recording, {&segment, 1}, buffers); });
    return read(*indices, *distances, asking.rows());
  }
};

}  // namespace

TEST_CASE("two sets of normalised rows find each other as by two searches, canonically and raw") {
  Fixture fixture;
  for (const bool raw : {false, true}) {
    CAPTURE(raw);
    fixture.description.raw = raw;
    const KomarovPairPlan plan = KomarovPairPlan::make(*fixture.device, fixture.description);
    CHECK(plan.shares_product());
    const KomarovPairRequirements needed = plan.requirements();
    CHECK(needed.rows.bytes == 150 * 6 * 4);
    CHECK(needed.queries.bytes == 90 * 6 * 4);
    CHECK(needed.indices.bytes == 90 * 8 * 4);
    CHECK(needed.row_indices.bytes == 150 * 8 * 4);
    const auto rows = fixture.buffer(needed.rows.bytes, fixture.rows.data()),
               queries = fixture.buffer(needed.queries.bytes, fixture.queries.data()),
               scratch = fixture.buffer(needed.scratch.bytes), indices = fixture.buffer(needed.indices.bytes),
               distances = fixture.buffer(needed.distances.bytes),
               row_indices = fixture.buffer(needed.row_indices.bytes),
               row_distances = fixture.buffer(needed.row_distances.bytes);
    fixture.run([&](Recording& recording) {
      plan.record(recording, {*rows, *queries, *scratch, *indices, *distances, *row_indices, *row_distances});
    });
    const Neighbors of_queries = fixture.read(*indices, *distances, 90),
                    of_rows = fixture.read(*row_indices, *row_distances, 150);
    check_same(of_queries, fixture.alone<KomarovPlan>(fixture.rows, fixture.queries));
    check_same(of_rows, fixture.alone<KomarovPlan>(fixture.queries, fixture.rows));
    if (raw) continue;
    check_same(of_queries, fixture.alone<ScanPlan>(fixture.rows, fixture.queries));
    check_same(of_rows, fixture.alone<ScanPlan>(fixture.queries, fixture.rows));
  }
}

TEST_CASE("a search of two sets by each other refuses what it cannot do, by name") {
  Fixture fixture;
  const auto refused = [&](const char* subject, ErrorCode code, const auto& change) {
    SearchDescription description = fixture.description;
    change(description);
    check_refused([&] { KomarovPairPlan::make(*fixture.device, description); }, subject, code);
  };
  refused("k", ErrorCode::invalid_argument, [](SearchDescription& one) { one.k = 0; });
  refused("rows", ErrorCode::invalid_argument, [](SearchDescription& one) { one.rows = 0; });
  refused("filter", ErrorCode::unsupported, [](SearchDescription& one) { one.filter = FilterKind::shared; });
  refused("method", ErrorCode::unsupported, [](SearchDescription& one) { one.metric = Metric::l1; });
  refused("k", ErrorCode::unsupported, [](SearchDescription& one) { one.k = 1025; });

  const KomarovPairPlan empty;
  CHECK(empty.empty());
  check_refused([&] { empty.requirements(); }, "plan");
  const KomarovPairPlan plan = KomarovPairPlan::make(*fixture.device, fixture.description);
  const auto commands = fixture.device->create_commands(Timing::none);
  commands->begin();
  check_refused([&] { plan.record(*commands, {}); }, "rows buffer");
  const auto memory = fixture.buffer(plan.requirements().scratch.bytes + (1 << 20));
  KomarovPairBuffers buffers;
  buffers.rows = BufferView(*memory, 0, plan.requirements().rows.bytes);
  buffers.queries = BufferView(*memory, 0, plan.requirements().queries.bytes);  // both are read
  buffers.scratch = BufferView(*memory, 0, plan.requirements().scratch.bytes);
  check_refused([&] { plan.record(*commands, buffers); }, "scratch buffer");
}
