// A search that an index plans and its caller records, and what searches tell
// about their rungs.
#include <cmath>
#include <cstring>
#include <map>

#include "proxel/index.hpp"
#include "refused.hpp"
#include "search/check.hpp"
#include "session/session.hpp"
#include "support.hpp"

namespace {

using namespace proxel;
using namespace proxel::unit;

constexpr std::uint32_t dimensions = 5;

Neighbors record_and_run(Device& device, const Plan& plan, const Matrix<float>& queries, std::uint64_t k) {
  const std::uint64_t slots = queries.rows() * k;
  const auto asked = device.create_buffer(queries.rows() * queries.columns() * 4, MemoryKind::upload);
  const auto scratch = device.create_buffer(plan.scratch_bytes(), MemoryKind::device);
  const auto indices = device.create_buffer(slots * 4, MemoryKind::readback);
  const auto distances = device.create_buffer(slots * 4, MemoryKind::readback);
  std::memcpy(asked->mapped(), queries.data(), asked->bytes());
  const auto commands = device.create_commands(Timing::none);
  commands->begin();
  plan.record(*commands, {*asked, *scratch, *indices, *distances});
  commands->end();
  device.submit(*commands);
  device.wait();
  Neighbors found{Matrix<std::uint32_t>(queries.rows(), k), Matrix<float>(queries.rows(), k)};
  std::memcpy(found.indices.data(), indices->mapped(), slots * 4);
  std::memcpy(found.distances.data(), distances->mapped(), slots * 4);
  return found;
}

// Notes what is done with buffers beside what kernels do, and does none of it.
class Noting : public Recording {
 public:
  void record(const Pass&) override {}
  void barrier() override {}
  void copy(const BufferView& from, const BufferView& to) override {
    done[from.buffer] |= usage_transfer_source;
    done[to.buffer] |= usage_transfer_destination;
  }
  void fill(const BufferView& view, std::uint8_t) override { done[view.buffer] |= usage_transfer_destination; }
  void push_label(std::string_view) override {}
  void pop_label() override {}

  std::map<const Buffer*, std::uint32_t> done;
};

// A buffer as it is required, or none.
std::unique_ptr<Buffer> make_required(Device& device, const BufferRequirement& needed) {
  return needed.bytes == 0 ? nullptr : device.create_buffer(needed.bytes, MemoryKind::upload);
}

BufferView whole(const std::unique_ptr<Buffer>& buffer) { return buffer ? BufferView(*buffer) : BufferView(); }

// Finds nothing, and says that its two rungs decided three queries and one.
class TwoRungs final : public Plan {
 public:
  SearchRequirements requirements() const override {
    SearchRequirements needed;
    needed.queries = search::elements_requirement(4 * dimensions);
    needed.scratch = search::scratch_requirement(256);
    needed.indices = needed.distances = search::elements_requirement(4);
    return needed;
  }
  void record(Recording& recording, const SearchBuffers& buffers, SearchPart) const override {
    recording.fill(buffers.indices, 0xFF);
    recording.fill(buffers.distances, 0);
  }
  std::vector<RungCount> rungs() const override { return {{"bound", 3}, {"canonical", 1}}; }
};

}  // namespace

TEST_CASE("a planned search, recorded by its caller, finds what search() finds") {
  const auto device = open_device("cpu");
  const Matrix<float> database = make_values(300, dimensions, Temper::ties, 1);
  const Matrix<float> queries = make_values(40, dimensions, Temper::ties, 2);
  for (const Method method : {Method::automatic, Method::scan, Method::texel}) {
    Index index(*device, database.view(), {.method = method});
    const auto plan = index.plan(40, 7, Metric::l2sq);
    const Neighbors recorded = record_and_run(*device, *plan, queries, 7);
    const Neighbors expected = index.search(queries.view(), 7, Metric::l2sq);
    CHECK(recorded.indices == expected.indices);
    CHECK(recorded.distances == expected.distances);
    CHECK(index.method(Metric::l2sq, 7) != Method::automatic);
    CHECK(plan->rungs().size() == expected.report.rungs.size());
  }
}

TEST_CASE("buffers that are just what a plan requires serve it, and smaller ones do not") {
  const auto device = open_device("cpu");
  const Matrix<float> database = make_values(3000, dimensions, Temper::uniform, 1);
  std::uint32_t done_to_scratch = 0;
  for (const std::string& name : method_names())
    for (const Metric metric : {Metric::l2sq, Metric::cosine})
      for (const PlanOptions& options :
           {PlanOptions{}, PlanOptions{FilterKind::shared, false}, PlanOptions{FilterKind::per_query, true}}) {
        Index index(*device, database.view(), {.method = method_from_string(name)});
        std::unique_ptr<Plan> plan;
        try {
          plan = index.plan(70, 9, metric, options);
        } catch (const Error& error) {
          CHECK(error.code() == ErrorCode::unsupported);
          continue;
        }
        CAPTURE(name);
        const SearchRequirements needed = plan->requirements();
        CHECK(needed.queries.bytes == 70 * dimensions * 4);
        CHECK(needed.indices.bytes == 70 * 9 * 4);
        CHECK(needed.scratch.bytes == plan->scratch_bytes());
        CHECK(needed.filter.bytes == (options.filter == FilterKind::none     ? 0
                                      : options.filter == FilterKind::shared ? 94 * 4
                                                                             : 70 * 94 * 4));
        CHECK(needed.after_indices.bytes == (options.continued ? 70 * 4 : 0));
        const BufferRequirement all[] = {needed.queries, needed.scratch,         needed.indices,      needed.distances,
                                         needed.filter,  needed.after_distances, needed.after_indices};
        std::vector<std::unique_ptr<Buffer>> made;
        for (const BufferRequirement& one : all) made.push_back(make_required(*device, one));
        const SearchBuffers buffers{whole(made[0]), whole(made[1]), whole(made[2]),
                                    whole(made[3]), whole(made[4]), {whole(made[5]), whole(made[6])}};
        Noting noting;
        plan->record(noting, buffers);
        for (std::size_t i = 0; i < made.size(); ++i)
          if (made[i]) CHECK((noting.done[made[i].get()] & ~all[i].usage) == 0);
        done_to_scratch |= noting.done[made[1].get()];

        SearchBuffers small = buffers;
        small.indices = small.indices.part(0, small.indices.bytes - 4);
        CHECK_THROWS_AS(plan->record(noting, small), Error);
        if (!options.continued) continue;
        small = buffers;
        small.after.indices = small.after.indices.part(0, small.after.indices.bytes - 4);
        CHECK_THROWS_AS(plan->record(noting, small), Error);
      }
  // No more is asked for than is used.
  CHECK(done_to_scratch == usage_transfer_destination);
}

TEST_CASE("a plan with a filter leaves rows out; one where rows were removed brings its own") {
  const auto device = open_device("cpu");
  const Matrix<float> database = make_values(100, dimensions, Temper::uniform, 1);
  Index index(*device, database.view());
  CHECK(index.plan(1, 1, Metric::l2sq, {.filter = FilterKind::shared})->requirements().filter.bytes == 16);
  index.remove(std::array{std::uint32_t{3}});
  CHECK(index.plan(1, 1, Metric::l2sq)->requirements().filter.bytes == 0);
  CHECK_THROWS_WITH_AS(index.plan(1, 1, Metric::l2sq, {.filter = FilterKind::shared}), doctest::Contains("compact()"),
                       Error);
}

TEST_CASE("a range search needs what it says, and is refused where there can be none") {
  const auto device = open_device("cpu");
  const Matrix<float> database = make_values(100, dimensions, Temper::uniform, 1);
  Index index(*device, database.view());
  const auto plan = index.plan_range(3, 1, Metric::cosine, {.filter = FilterKind::per_query});
  const SearchRequirements needed = plan->requirements();
  CHECK(needed.queries.bytes == 3 * dimensions * 4);
  CHECK(needed.scratch.bytes == plan->scratch_bytes());
  CHECK(needed.offsets.bytes == 4 * 8);
  CHECK(needed.offsets.alignment == 8);
  CHECK(needed.indices.bytes == 4);
  CHECK(needed.filter.bytes == 3 * 4 * 4);

  const auto refused_plan = [&](ErrorCode code, std::string_view subject, std::uint32_t queries, float radius,
                                const PlanOptions& options) {
    check_refused([&] { index.plan_range(queries, radius, Metric::l1, options); }, subject, code);
  };
  refused_plan(ErrorCode::invalid_argument, "queries", 0, 1, {});
  refused_plan(ErrorCode::invalid_argument, "radius", 1, std::nanf(""), {});
  refused_plan(ErrorCode::unsupported, "continued", 1, 1, {.continued = true});
  refused_plan(ErrorCode::unsupported, "counted", 1, 1, {.counted = true});
  index.remove(std::array{std::uint32_t{3}});
  refused_plan(ErrorCode::unsupported, "filter", 1, 1, {.filter = FilterKind::shared});
  CHECK(index.plan_range(1, 1, Metric::l1)->requirements().filter.bytes == 0);
  Index texel(*device, database.view(), {.method = Method::texel});
  check_refused([&] { texel.plan_range(1, 1, Metric::l1); }, "range search", ErrorCode::unsupported);
  Index narrow(*device, database.view(), {.method = Method::scan, .storage = ElementType::float16});
  check_refused([&] { narrow.plan_range(1, 1, Metric::l1); }, "plan", ErrorCode::unsupported);

  constexpr std::uint64_t bytes = 4096;
  const auto buffer = device->create_buffer(5 * bytes, MemoryKind::device);
  const auto scratch = device->create_buffer(plan->scratch_bytes(), MemoryKind::device);
  const auto part = [&](std::uint64_t number) { return BufferView(*buffer, number * bytes, bytes); };
  Noting noting;
  SearchBuffers all{part(0), *scratch, part(2), part(3), part(4)};
  all.offsets = part(1);
  plan->record(noting, all);
  SearchBuffers less = all;
  less.indices = {};
  plan->record(noting, less, SearchPart::count);
  check_refused([&] { plan->record(noting, less); }, "indices buffer");
  check_refused([&] { plan->record(noting, less, SearchPart::fill); }, "indices buffer");
  less = all;
  less.filter = {};
  check_refused([&] { plan->record(noting, less, SearchPart::count); }, "filter buffer");
  less = all;
  less.offsets = less.offsets.part(4, 100);
  check_refused([&] { plan->record(noting, less); }, "offsets buffer");
}

TEST_CASE("raw answers are refused where there are none") {
  const auto device = open_device("cpu");
  const Matrix<float> database = make_values(2000, dimensions, Temper::uniform, 1);
  const Matrix<float> queries = make_values(2, dimensions, Temper::uniform, 2);
  Index index(*device, database.view());
  Index narrow(*device, database.view(), {.method = Method::scan, .storage = ElementType::float16});
  check_refused([&] { narrow.search(queries.view(), 1, Metric::l1, {.raw = true}); }, "raw", ErrorCode::unsupported);
  check_refused([&] { index.range_search(queries.view(), 1, Metric::l1, {.raw = true}); }, "raw",
                ErrorCode::unsupported);
}

TEST_CASE("what no search could serve is not planned either") {
  const auto device = open_device("cpu");
  const Matrix<float> database = make_values(2000, dimensions, Temper::uniform, 1);
  Index index(*device, database.view(), {.method = Method::texel});
  CHECK_THROWS_AS(index.plan(0, 1, Metric::l1), Error);
  CHECK_THROWS_AS(index.plan(1, 0, Metric::l1), Error);
  CHECK_THROWS_AS(index.plan(1, 5000, Metric::l1), Error);
  CHECK_THROWS_AS(index.method(Metric::l1, 5000), Error);
}

TEST_CASE("queries of which filters leave few rows are scanned, and others go on to be decided by a copy") {
  constexpr std::uint32_t rows = 4000, queries = 200, k = 10, sparse = 150;
  const auto device = open_device("cpu");
  const Matrix<float> database = make_values(rows, dimensions, Temper::uniform, 1);
  const Matrix<float> asked = make_values(queries, dimensions, Temper::uniform, 2);
  Index fused(*device, database.view(), {.method = Method::fused});
  Index scanned(*device, database.view(), {.method = Method::scan});
  // Three rows, or all of them.
  Matrix<std::uint32_t> filters(queries, rows / 32);
  for (std::uint32_t query = 0; query < queries; ++query)
    for (std::uint32_t word = 0; word < filters.columns(); ++word)
      filters(query, word) = query >= sparse ? ~0u : word == query % filters.columns() ? 0x00700000u : 0u;
  for (int time = 0; time < 3; ++time) {
    const SearchOptions options{.filter = filters.view()};
    const Neighbors found = fused.search(asked.view(), k, Metric::l2sq, options);
    check_same(found, scanned.search(asked.view(), k, Metric::l2sq, options));
    const std::vector<RungCount>& rungs = found.report.rungs;
    REQUIRE(rungs.size() == 3);
    CHECK(rungs[0].rung == "half precision");
    CHECK(rungs[0].queries == queries - sparse);
    CHECK(rungs[1].queries == 0);
    CHECK(rungs[2].queries == sparse);
  }
}

TEST_CASE("queries decided per rung are summed over blocks") {
  const auto device = open_device("cpu");
  struct Any {
    bool serves(const Any&) const { return true; }
  };
  session::Call<Any> call;
  call.work = {8, 4, 1};
  call.shape = [](std::uint64_t, std::uint64_t) { return Any(); };
  call.plan = [](const Any&, const session::Prepare& prepare) { prepare(std::make_unique<TwoRungs>(), {}); };
  call.encode = [](session::Round&, const Any&, std::uint64_t, std::uint64_t) {};
  session::Session<Any> session(*device, Timing::none);
  session::Pace pace(*device);
  const std::vector<RungCount> rungs = session.nearest(call, 1, pace, {}).report.rungs;
  REQUIRE(rungs.size() == 2);
  CHECK(rungs[0].rung == "bound");
  CHECK(rungs[0].queries == 6);
  CHECK(rungs[1].queries == 2);
}
