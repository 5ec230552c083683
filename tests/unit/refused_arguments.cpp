// Wrong arguments of plans and recordings that no buffer is at fault for (tests/embedding/refusals.cpp has those).
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "proxel/index.hpp"
#include "proxel/moving_points.hpp"
#include "proxel/papers/bustos.hpp"
#include "proxel/papers/garcia.hpp"
#include "proxel/papers/komarov.hpp"
#include "proxel/papers/krulis.hpp"
#include "proxel/permutation.hpp"
#include "proxel/range.hpp"
#include "proxel/screened.hpp"
#include "proxel/signature_index.hpp"
#include "proxel/strings.hpp"
#include "proxel/vector_permutation.hpp"
#include "refused.hpp"
#include "support.hpp"

using namespace proxel;
using unit::check_refused;

namespace {

constexpr auto no_metric = static_cast<Metric>(99);
constexpr std::uint32_t row_count = 300, dimensions = 3, query_count = 4;
constexpr std::uint64_t k = 5;

SearchDescription describe() {
  SearchDescription description;
  description.rows = row_count;
  description.dimensions = dimensions;
  description.queries = query_count;
  description.k = k;
  return description;
}

// Counts what is recorded, and does none of it.
class Counted : public unit::PassesAlone {
 public:
  explicit Counted(const Device& device) : device_(device) {}
  const Device* executes_on() const override { return &device_; }
  void record(const Pass&) override { ++calls; }
  void barrier() override { ++calls; }
  void copy(const BufferView&, const BufferView&) override { ++calls; }
  void fill(const BufferView&, std::uint8_t) override { ++calls; }
  void push_label(std::string_view) override { ++calls; }

  std::uint64_t calls = 0;

 private:
  const Device& device_;
};

// Buffers of a search as described, and rows.
struct Fixture {
  std::unique_ptr<Device> device = open_device("cpu");
  std::unique_ptr<Buffer> database = make(row_count * dimensions * 4), queries = make(query_count * dimensions * 4),
                          indices = make(query_count * k * 4), distances = make(query_count * k * 4),
                          scratch = make(std::uint64_t{64} << 20);
  Counted recording{*device};
  passes::Rows rows = row_major_rows(database->address(), row_count, dimensions);

  std::unique_ptr<Buffer> make(std::uint64_t bytes) const { return device->create_buffer(bytes, MemoryKind::device); }
  SearchBuffers buffers() const { return {*queries, *scratch, *indices, *distances}; }
  ScanPlan scan(const SearchDescription& description = describe()) const {
    const RowsSegment segment{rows, 0};
    return ScanPlan::make(*device, description, {&segment, 1});
  }
  // Refused, with nothing recorded.
  template <typename Record>
  void check(const Record& record, std::string_view subject) {
    check_refused(record, subject);
    CHECK(recording.calls == 0);
  }
};

}  // namespace

TEST_CASE("an enumerator that is none is refused wherever a plan or an index is given one") {
  const Fixture fixture;
  Device& device = *fixture.device;
  const RowsSegment segment{fixture.rows, 0};
  const std::span<const RowsSegment> segments{&segment, 1};
  SearchDescription metric = describe(), filter = describe();
  metric.metric = no_metric;
  filter.filter = static_cast<FilterKind>(77);
  for (const auto& [description, subject] : {std::pair{metric, "metric"}, std::pair{filter, "filter"}}) {
    CAPTURE(subject);
    const BoxHierarchy boxes(device, row_count, dimensions);
    check_refused([&] { ScanPlan::make(device, description, segments); }, subject);
    check_refused([&] { GarciaPlan::make(device, description, segments, GarciaForm::direct); }, subject);
    check_refused([&] { KomarovPlan::make(device, description, segments); }, subject);
    check_refused([&] { BvhPlan::make(device, description, boxes, fixture.rows); }, subject);
    check_refused([&] { ScreenedPlan::make(device, description, nullptr, fixture.rows); }, subject);
    check_refused([&] { MovingPointsPlan::make(device, description); }, subject);
    const TexelDatabase textures(device, row_count, dimensions, 1024);
    check_refused([&] { TexelPlan::make(device, description, textures, {}); }, subject);
    RangeDescription range;
    range.rows = row_count;
    range.dimensions = dimensions;
    range.queries = query_count;
    range.metric = description.metric;
    range.filter = description.filter;
    check_refused([&] { RangePlan::make(device, range, segments); }, subject);
  }
  check_refused([&] { GarciaPlan::make(device, describe(), segments, static_cast<GarciaForm>(2)); }, "form");
  SelectionDescription selection;
  selection.columns = 10;
  selection.method = static_cast<SelectionMethod>(-1);
  check_refused([&] { SelectionPlan::make(device, selection); }, "method");
  check_refused([&] { SelectionPlan::supports(device, selection); }, "method");
  check_refused([&] { ScreenedRows::supports(device, no_metric, 10, 2); }, "metric");

  const Matrix<float> values = unit::make_values(row_count, dimensions, unit::Temper::ties, 1);
  Index index(device, values.view());
  check_refused([&] { index.search(values.view(), k, no_metric); }, "metric");
  check_refused([&] { index.search_rows(0, 1, k, no_metric); }, "metric");
  check_refused([&] { index.range_search(values.view(), 1, no_metric); }, "metric");
  check_refused([&] { index.plan(1, k, no_metric); }, "metric");
  check_refused([&] { index.plan_range(1, 1, no_metric); }, "metric");
  check_refused([&] { index.supports(no_metric, k); }, "metric");
  check_refused([&] { index.method(no_metric, k); }, "metric");
  PlanOptions wrong_filter;
  wrong_filter.filter = static_cast<FilterKind>(77);
  check_refused([&] { index.plan(1, k, Metric::l1, wrong_filter); }, "filter");
  check_refused([&] { index.plan_range(1, 1, Metric::l1, wrong_filter); }, "filter");
  const auto index_refuses = [&](auto member, auto value, const char* subject) {
    IndexOptions options;
    options.*member = value;
    check_refused([&] { Index(device, values.view(), options); }, subject);
  };
  index_refuses(&IndexOptions::method, static_cast<Method>(99), "method");
  index_refuses(&IndexOptions::storage, static_cast<ElementType>(99), "storage");
  index_refuses(&IndexOptions::papers, PaperOptions{.komarov = {static_cast<SelectionMethod>(99)}}, "selection");
  index_refuses(&IndexOptions::timing, static_cast<Timing>(99), "timing");
  check_refused([&] { VectorPermutationIndex(device, values.view(), no_metric); }, "metric");
}

TEST_CASE("an enumerator that is none is refused by devices, and by indexes of strings and signatures") {
  const auto device = open_device("cpu");
  check_refused([&] { device->create_buffer(4, static_cast<MemoryKind>(4)); }, "memory kind");
  check_refused([&] { device->create_commands(static_cast<Timing>(-7)); }, "timing");
  check_refused([&] { device->create_texture(1, 1, 1, static_cast<TexelFormat>(2)); }, "texel format");
  Strings words;
  words.add("word");
  StringIndexOptions strings;
  strings.distance = static_cast<StringDistance>(9);
  check_refused([&] { StringIndex(*device, words, strings); }, "distance");
  PermutationOptions permutations;
  permutations.distance = static_cast<passes::PermutationDistance>(9);
  check_refused([&] { PermutationIndex(*device, words, permutations); }, "distance");
  permutations = {};
  permutations.selection = static_cast<SelectionMethod>(99);
  check_refused([&] { PermutationIndex(*device, words, permutations); }, "selection");
  Signatures signatures(1);
  signatures.add(std::vector<float>{1}, std::vector<float>{1});
  SignatureIndexOptions options;
  options.method = static_cast<SignatureMethod>(9);
  check_refused([&] { SignatureIndex(*device, signatures, options); }, "method");
  options = {};
  options.similarity.kind = static_cast<Similarity>(9);
  check_refused([&] { SignatureIndex(*device, signatures, options); }, "similarity");
  KrulisOptions krulis;
  krulis.filter = static_cast<SignatureFilter>(9);
  Device* devices[] = {device.get()};
  check_refused([&] { KrulisIndex(devices, signatures, krulis); }, "filter");
}

TEST_CASE("an empty plan, default-constructed or moved from, says so at every use") {
  Fixture fixture;
  const auto check_empty = [&](const auto& plan, const auto& record) {
    CHECK(plan.empty());
    fixture.check([&] { plan.scratch_bytes(); }, "plan");
    fixture.check([&] { record(plan); }, "plan");
  };
  const RowsSegment segment{fixture.rows, 0};
  const std::span<const RowsSegment> segments{&segment, 1};
  Recording& recording = fixture.recording;
  const auto record_rows = [&](const auto& plan) { plan.record(recording, fixture.rows, fixture.buffers()); };
  const auto record_segments = [&](const auto& plan) { plan.record(recording, segments, fixture.buffers()); };
  check_empty(ScanPlan(), record_segments);
  check_empty(GarciaPlan(), record_segments);
  check_empty(KomarovPlan(), record_segments);
  check_empty(BvhPlan(), record_rows);
  check_empty(ScreenedPlan(), record_rows);
  check_empty(TexelPlan(), [&](const TexelPlan& plan) {
    plan.record(recording, TexelDatabase(*fixture.device, row_count, dimensions, 1024), fixture.buffers());
  });
  check_empty(RangePlan(), [&](const RangePlan& plan) {
    plan.record(recording, segments, {*fixture.queries, *fixture.scratch, {}, {}}, SearchPart::count);
  });
  check_empty(SelectionPlan(), [&](const SelectionPlan& plan) { plan.record(recording, {}); });
  check_empty(MovingPointsPlan(), [&](const MovingPointsPlan& plan) {
    plan.record(recording, {*fixture.database, *fixture.indices, *fixture.distances});
  });
  ScanPlan scan = fixture.scan();
  const ScanPlan taken = std::move(scan);
  CHECK_FALSE(taken.empty());
  CHECK_NOTHROW(record_segments(taken));
  fixture.recording.calls = 0;
  check_empty(scan, record_segments);  // NOLINT: it is what is tested
  fixture.check([&] { BoxHierarchy().record(recording, fixture.rows, *fixture.scratch); }, "bounding volumes");
  fixture.check([&] { ScreenedRows().record(recording, fixture.rows); }, "screened rows");
  fixture.check([&] { TexelDatabase().record_pack(recording, *fixture.database, 0, 4); }, "plan");
}

TEST_CASE("scratch memory that a hierarchy lacks is named, with the bytes that it needs, before anything is recorded") {
  Fixture fixture;
  const BoxHierarchy boxes(*fixture.device, row_count, dimensions);
  const std::string needed = std::to_string(boxes.scratch_bytes());
  for (const BufferView& scratch : {BufferView(), BufferView(*fixture.scratch, 0, boxes.scratch_bytes() - 1)}) {
    CHECK_THROWS_WITH_AS(boxes.record(fixture.recording, fixture.rows, scratch), doctest::Contains(needed.c_str()),
                         Error);
    fixture.check([&] { boxes.record(fixture.recording, fixture.rows, scratch); }, "scratch buffer");
  }
  fixture.check([&] { boxes.record(fixture.recording, fixture.rows, boxes.boxes()); }, "scratch buffer");
}

TEST_CASE("rows that are not as planned are refused before anything is recorded") {
  Fixture fixture;
  const ScanPlan scan = fixture.scan();
  const BoxHierarchy boxes(*fixture.device, row_count, dimensions);
  const BvhPlan bvh = BvhPlan::make(*fixture.device, describe(), boxes, fixture.rows);
  const auto check = [&](const passes::Rows& rows, const char* subject) {
    const RowsSegment segment{rows, 0};
    fixture.check([&] { scan.record(fixture.recording, {&segment, 1}, fixture.buffers()); }, subject);
    fixture.check([&] { bvh.record(fixture.recording, rows, fixture.buffers()); }, subject);
  };
  const std::uint64_t address = fixture.database->address();
  check(row_major_rows(0, row_count, dimensions), "rows address");
  check(row_major_rows(address + 2, row_count, dimensions), "rows address");
  check(row_major_rows(address, row_count - 1, dimensions), "rows count");
  check(row_major_rows(address, row_count, dimensions + 1), "rows layout");
  check(column_major_rows(address, row_count, row_count), "rows layout");
  fixture.check([&] { boxes.record(fixture.recording, row_major_rows(address, 0, dimensions), *fixture.scratch); },
                "rows count");
  const RowsSegment shifted{fixture.rows, 1}, twice[] = {{fixture.rows, 0}, {fixture.rows, 0}};
  fixture.check([&] { scan.record(fixture.recording, {&shifted, 1}, fixture.buffers()); }, "rows segment");
  fixture.check([&] { scan.record(fixture.recording, twice, fixture.buffers()); }, "rows segments");
  const auto normalize = [&](Metric metric, const passes::Rows& from, const passes::Rows& to) {
    record_normalize(fixture.recording, metric, from, to, dimensions);
  };
  fixture.check([&] { normalize(Metric::l1, fixture.rows, fixture.rows); }, "metric");
  fixture.check([&] { normalize(Metric::cosine, fixture.rows, row_major_rows(0, row_count, dimensions)); },
                "rows address");
  fixture.check([&] { normalize(Metric::cosine, fixture.rows, row_major_rows(address, 1, dimensions)); }, "rows count");
}

TEST_CASE("a plan is recorded for the device that it was made for, and no other") {
  Fixture fixture;
  const auto other = open_device("cpu");
  Counted recording(*other);
  const RowsSegment segment{fixture.rows, 0};
  check_refused([&] { fixture.scan().record(recording, {&segment, 1}, fixture.buffers()); }, "recording");
  CHECK(recording.calls == 0);
  // The host's memory is one.
  const auto queries = other->create_buffer(fixture.queries->bytes(), MemoryKind::device);
  SearchBuffers buffers = fixture.buffers();
  buffers.queries = *queries;
  CHECK_NOTHROW(fixture.scan().record(fixture.recording, {&segment, 1}, buffers));
}

TEST_CASE("a page may be written where the page before is read, and nowhere else in it") {
  Fixture fixture;
  SearchDescription description = describe();
  description.continued = true;
  const ScanPlan scan = fixture.scan(description);
  const RowsSegment segment{fixture.rows, 0};
  const auto record = [&](const BufferView& distances, const BufferView& indices, std::uint32_t stride) {
    SearchBuffers buffers = fixture.buffers();
    buffers.after = {distances, indices, stride};
    scan.record(fixture.recording, {&segment, 1}, buffers);
  };
  const auto last = [&](Buffer& buffer) { return BufferView(buffer, (k - 1) * 4, buffer.bytes() - (k - 1) * 4); };
  const auto apart = fixture.make(query_count * k * 4), apart_indices = fixture.make(query_count * k * 4);
  fixture.check([&] { record(*fixture.distances, *fixture.indices, 1); }, "after distances buffer");
  fixture.check([&] { record(last(*fixture.indices), last(*fixture.distances), k); }, "after distances buffer");
  fixture.check([&] { record(last(*apart), *fixture.indices, k); }, "after indices buffer");
  CHECK_NOTHROW(record(last(*fixture.distances), last(*fixture.indices), k));
  CHECK_NOTHROW(record(*apart, *apart_indices, 1));
}

TEST_CASE("rows are packed into textures as they fit them, or not at all") {
  Fixture fixture;
  const TexelDatabase textures(*fixture.device, row_count, dimensions, 128);
  const auto pack = [&](const BufferView& source, std::uint64_t first, std::uint32_t count) {
    textures.record_pack(fixture.recording, source, first, count);
  };
  fixture.check([&] { pack({}, 0, 4); }, "source buffer");
  fixture.check([&] { pack({*fixture.database, 0, 4 * dimensions * 4 - 1}, 0, 4); }, "source buffer");
  fixture.check([&] { pack(*fixture.database, row_count, 1); }, "first row");
  fixture.check([&] { pack(*fixture.database, 2, 4); }, "first row");
  fixture.check([&] { pack(*fixture.database, 0, 129); }, "row count");
  fixture.check([&] { pack(*fixture.database, 256, row_count - 256 + 1); }, "row count");
  CHECK_NOTHROW(pack(*fixture.database, 256, row_count - 256));
  const TexelDatabase others(*fixture.device, row_count, dimensions, 256);
  const TexelPlan plan = TexelPlan::make(*fixture.device, describe(), textures, {});
  fixture.recording.calls = 0;
  fixture.check([&] { plan.record(fixture.recording, others, fixture.buffers()); }, "database");
}

TEST_CASE("copies and fills are refused where they reach past a buffer") {
  const auto device = open_device("cpu");
  const auto small = device->create_buffer(16, MemoryKind::upload),
             large = device->create_buffer(32, MemoryKind::upload);
  const auto commands = device->create_commands(Timing::none);
  commands->begin();
  check_refused([&] { commands->copy(*large, *small); }, "buffer that is copied to");
  check_refused([&] { commands->copy({*small, 8, 16}, *large); }, "copied buffer");
  check_refused([&] { commands->copy({}, *large); }, "copied buffer");
  check_refused([&] { commands->copy(*small, {}); }, "buffer that is copied to");
  check_refused([&] { commands->fill({*small, UINT64_MAX, 2}, 0); }, "filled buffer");
  check_refused([&] { commands->fill({}, 0); }, "filled buffer");
  commands->pop_label();  // of which none is open
  std::memset(small->mapped(), 7, 16);
  commands->copy(*small, *large);
  commands->end();
  device->submit(*commands);
  CHECK(std::memcmp(small->mapped(), large->mapped(), 16) == 0);
}

TEST_CASE("points of an engine ask themselves, or others do, in whatever layout") {
  const auto device = open_device("cpu");
  constexpr std::uint32_t stride = 5;
  SearchDescription description = describe();
  description.queries = row_count;
  const Matrix<float> values = unit::make_values(row_count, dimensions, unit::Temper::ties, 3);
  const auto expected = Index(*device, values.view()).search(values.view(), k, description.metric);
  const auto strided = device->create_buffer(row_count * stride * 4, MemoryKind::upload);
  const auto dense = device->create_buffer(row_count * dimensions * 4, MemoryKind::upload);
  for (std::uint64_t row = 0; row < row_count; ++row)
    for (std::uint32_t i = 0; i < dimensions; ++i) {
      static_cast<float*>(strided->mapped())[row * stride + i] = values(row, i);
      static_cast<float*>(dense->mapped())[row * dimensions + i] = values(row, i);
    }
  const auto indices = device->create_buffer(row_count * k * 4, MemoryKind::readback);
  const auto distances = device->create_buffer(row_count * k * 4, MemoryKind::readback);
  const auto run = [&](const MovingPointsPlan& plan, const MovingPointsBuffers& buffers, bool halves) {
    std::memset(indices->mapped(), 0xEE, indices->bytes());
    const auto commands = device->create_commands(Timing::none);
    commands->begin();
    if (halves) {
      plan.record_boxes(*commands, buffers);
      plan.record_search(*commands, buffers);
    } else {
      plan.record(*commands, buffers);
    }
    commands->end();
    device->submit(*commands);
    CHECK(std::memcmp(indices->mapped(), expected.indices.data(), indices->bytes()) == 0);
    CHECK(std::memcmp(distances->mapped(), expected.distances.data(), distances->bytes()) == 0);
  };
  const MovingPointsPlan own = MovingPointsPlan::make(*device, description);
  CHECK(own.requirements().others.scratch.bytes == 0);
  CHECK(own.requirements().points.bytes == dense->bytes());
  for (const bool halves : {false, true}) run(own, {*dense, *indices, *distances}, halves);

  MovingPointsOptions bring;
  bring.own_scratch = false;
  const MovingPointsPlan plan =
      MovingPointsPlan::make(*device, description, row_major_rows(0, row_count, stride), bring);
  CHECK(plan.requirements().points.bytes == ((row_count - 1) * stride + dimensions) * 4);
  const auto scratch = device->create_buffer(plan.requirements().others.scratch.bytes, MemoryKind::device);
  MovingPointsBuffers buffers{*strided, *indices, *distances, *scratch, *dense};
  for (const bool halves : {false, true}) run(plan, buffers, halves);
  Counted recording(*device);
  buffers.queries = {};  // points with gaps are no queries
  check_refused([&] { plan.record(recording, buffers); }, "queries buffer");
  buffers.scratch = {};
  check_refused([&] { plan.record_boxes(recording, buffers); }, "scratch buffer");
  CHECK(recording.calls == 0);
  description.dimensions = 9;
  check_refused([&] { MovingPointsPlan::make(*device, description); }, "moving points", ErrorCode::unsupported);
}
