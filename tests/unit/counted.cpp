// Searches whose number of queries the device alone knows, and boxes in memory of the caller's.
#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "proxel/bvh.hpp"
#include "proxel/index.hpp"
#include "proxel/papers/garcia.hpp"
#include "proxel/papers/komarov.hpp"
#include "proxel/screened.hpp"
#include "refused.hpp"

using namespace proxel;
using proxel::unit::check_refused;

namespace {

constexpr std::uint32_t rows = 700, dimensions = 3, most = 40;
constexpr std::uint64_t k = 6;
constexpr std::uint32_t untouched = 0xEEEEEEEE;

struct Fixture {
  std::unique_ptr<Device> device;
  Matrix<float> database{rows, dimensions}, queries{most, dimensions};
  std::unique_ptr<Buffer> row_buffer, query_buffer, count_buffer, indices, distances;
  passes::Rows layout;

  explicit Fixture(const char* id) : device(open_device(id)) {
    std::mt19937 generator(1);
    std::normal_distribution<float> normal;
    std::generate_n(database.data(), rows * dimensions, [&] { return normal(generator); });
    std::generate_n(queries.data(), most * dimensions, [&] { return normal(generator); });
    const auto holding = [&](const Matrix<float>& matrix) {
      auto buffer = device->create_buffer(matrix.rows() * matrix.columns() * 4, MemoryKind::device);
      upload(*device, *buffer, matrix.data());
      return buffer;
    };
    row_buffer = holding(database);
    query_buffer = holding(queries);
    count_buffer = device->create_buffer(4, MemoryKind::device);
    indices = device->create_buffer(most * k * 4, MemoryKind::device);
    distances = device->create_buffer(most * k * 4, MemoryKind::device);
    layout = row_major_rows(row_buffer->address(), rows, dimensions);
  }

  SearchDescription description() const {
    SearchDescription wanted;
    wanted.metric = Metric::l1;
    wanted.rows = rows;
    wanted.dimensions = dimensions;
    wanted.queries = most;
    wanted.k = k;
    wanted.counted = true;
    return wanted;
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

  // Searches for so many queries, and looks at all there was room for.
  template <typename Plan, typename Record>
  void check(std::uint32_t there, const Plan& plan, const Record& record) {
    CAPTURE(there);
    upload(*device, *count_buffer, &there);
    const auto scratch = device->create_buffer(plan.scratch_bytes(), MemoryKind::device);
    SearchBuffers buffers{*query_buffer, *scratch, *indices, *distances};
    buffers.count = *count_buffer;
    run([&](Recording& recording) {
      recording.fill(*indices, 0xEE);
      recording.barrier();
      record(recording, buffers);
    });
    std::vector<std::uint32_t> found(most * k);
    download(*device, *indices, found.data());
    const auto reference = open_device("cpu:reference");
    const Neighbors expected = Index(*reference, database.view()).search(queries.view(), k, Metric::l1);
    const std::size_t answered = std::min(there, most) * k;
    CHECK(std::equal(found.begin(), found.begin() + answered, expected.indices.data()));
    CHECK(std::count(found.begin() + answered, found.end(), untouched) ==
          static_cast<std::ptrdiff_t>(found.size() - answered));
  }
};

}  // namespace

TEST_CASE("queries that the device counts are answered, and no others") {
  for (const char* id : {"cpu", "cpu:reference"}) {
    CAPTURE(id);
    Fixture fixture(id);
    const RowsSegment segment{fixture.layout, 0};
    const ScanPlan scan = ScanPlan::make(*fixture.device, fixture.description(), {&segment, 1});
    const BoxHierarchy boxes(*fixture.device, rows, dimensions);
    const auto building = fixture.device->create_buffer(boxes.scratch_bytes(), MemoryKind::device);
    fixture.run([&](Recording& recording) { boxes.record(recording, fixture.layout, *building); });
    const BvhPlan bvh = BvhPlan::make(*fixture.device, fixture.description(), boxes, fixture.layout);
    const ScreenedPlan screened = ScreenedPlan::make(*fixture.device, fixture.description(), nullptr, fixture.layout);
    for (const std::uint32_t there : {0u, 1u, 17u, most, 1000u}) {
      fixture.check(there, screened, [&](Recording& recording, const SearchBuffers& buffers) {
        screened.record(recording, fixture.layout, buffers);
      });
      fixture.check(there, scan, [&](Recording& recording, const SearchBuffers& buffers) {
        scan.record(recording, {&segment, 1}, buffers);
      });
      fixture.check(there, bvh, [&](Recording& recording, const SearchBuffers& buffers) {
        bvh.record(recording, fixture.layout, buffers);
      });
    }
  }
}

TEST_CASE("plans that need the number of queries refuse to have them counted") {
  Fixture fixture("cpu");
  const RowsSegment segment{fixture.layout, 0};
  SearchDescription wanted = fixture.description();
  const auto refused = [](const auto& make) { check_refused(make, "counted", ErrorCode::unsupported); };
  refused([&] { GarciaPlan::make(*fixture.device, wanted, {&segment, 1}, GarciaForm::direct); });
  refused([&] { KomarovPlan::make(*fixture.device, wanted, {&segment, 1}); });
  wanted.k = (1 << 20) + 1;  // more than one pass of a scan finds
  refused([&] { ScanPlan::make(*fixture.device, wanted, {&segment, 1}); });
  wanted.k = 5000;
  CHECK_NOTHROW(ScanPlan::make(*fixture.device, wanted, {&segment, 1}));
  wanted.k = 60000;
  wanted.scratch_limit = 1 << 20;  // too little for lists of all queries at once
  refused([&] { ScanPlan::make(*fixture.device, wanted, {&segment, 1}); });
  wanted = fixture.description();
  const RowsSegment halves[] = {{row_major_rows(fixture.layout.address, rows / 2, dimensions), 0},
                                {row_major_rows(fixture.layout.address, rows / 2, dimensions), rows / 2}};
  refused([&] { ScanPlan::make(*fixture.device, wanted, halves); });
}

TEST_CASE("a count that is missing is named") {
  Fixture fixture("cpu");
  const RowsSegment segment{fixture.layout, 0};
  const ScanPlan scan = ScanPlan::make(*fixture.device, fixture.description(), {&segment, 1});
  const auto scratch = fixture.device->create_buffer(scan.scratch_bytes(), MemoryKind::device);
  CHECK_THROWS_WITH_AS(fixture.run([&](Recording& recording) {
    scan.record(recording, {&segment, 1}, {*fixture.query_buffer, *scratch, *fixture.indices, *fixture.distances});
  }),
                       doctest::Contains("count buffer"), Error);
}

TEST_CASE("boxes lie in memory of the caller's, and are the same there") {
  Fixture fixture("cpu");
  const BoxHierarchy::Bytes bytes = BoxHierarchy::bytes(rows, dimensions);
  const auto order = fixture.device->create_buffer(bytes.order, MemoryKind::device);
  const auto coordinates = fixture.device->create_buffer(bytes.coordinates, MemoryKind::device);
  const auto boxes = fixture.device->create_buffer(bytes.boxes, MemoryKind::device);
  const BoxHierarchy own(*fixture.device, rows, dimensions);
  const BoxHierarchy lent(*fixture.device, rows, dimensions, {*order, *coordinates, *boxes});
  const auto building = fixture.device->create_buffer(own.scratch_bytes(), MemoryKind::device);
  fixture.run([&](Recording& recording) {
    // Boxes past the last of a group are not written.
    recording.fill(own.boxes(), 0);
    recording.fill(lent.boxes(), 0);
    recording.barrier();
    own.record(recording, fixture.layout, *building);
    recording.barrier();
    lent.record(recording, fixture.layout, *building);
  });
  const auto contents = [&](const BufferView& view, std::uint64_t count) {
    std::vector<std::byte> values(count);
    download(*fixture.device, {*view.buffer, view.offset, count}, values.data());
    return values;
  };
  CHECK(contents(own.order(), bytes.order) == contents(lent.order(), bytes.order));
  CHECK(contents(own.boxes(), bytes.boxes) == contents(lent.boxes(), bytes.boxes));
  CHECK_THROWS_WITH_AS(
      BoxHierarchy(*fixture.device, rows, dimensions, {BufferView(*order, 0, 8), *coordinates, *boxes}),
      doctest::Contains("order buffer"), Error);
}
