// A search that an index plans and its caller records, and what searches tell
// about their rungs.
#include <cstring>

#include "index/prepared_search.hpp"
#include "proxel/index.hpp"
#include "support.hpp"

namespace {

using namespace proxel;
using namespace proxel::unit;

constexpr std::uint32_t dimensions = 5;

Neighbors record_and_run(Device& device, const PlannedSearch& plan, const Matrix<float>& queries,
                         std::uint64_t k) {
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

// Finds nothing, and says that its two rungs decided three queries and one.
class TwoRungs : public index::Searcher {
 public:
  Support supports(Metric, std::uint64_t) const override { return Support::yes(); }
  std::unique_ptr<PlannedSearch> plan(const SearchDescription&) override {
    class Plan : public PlannedSearch {
     public:
      std::uint64_t scratch_bytes() const override { return 256; }
      void record(Recording& recording, const SearchBuffers& buffers) const override {
        recording.fill(buffers.indices, 0xFF);
        recording.fill(buffers.distances, 0);
      }
      std::vector<RungCount> rungs() const override { return {{"bound", 3}, {"canonical", 1}}; }
    };
    return std::make_unique<Plan>();
  }
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
    CHECK(plan->rungs().size() == index.times().rungs.size());
  }
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

TEST_CASE("queries decided per rung are summed over blocks") {
  const auto device = open_device("cpu");
  index::Storage storage(*device, 10, dimensions);
  TwoRungs searcher;
  SearchDescription description;
  description.rows = 10;
  description.dimensions = dimensions;
  description.queries = 4;
  index::PreparedSearch prepared(storage, searcher, description,
                                 index::PreparedSearch::Source::host, Timing::none);
  const Matrix<float> queries = make_values(4, dimensions, Temper::uniform, 3);
  SearchTimes times;
  std::array<std::uint32_t, 4> indices{};
  std::array<float, 4> distances{};
  prepared.run(queries.view(), indices.data(), distances.data(), times);
  prepared.run(queries.view(), indices.data(), distances.data(), times);
  REQUIRE(times.rungs.size() == 2);
  CHECK(times.rungs[0].rung == "bound");
  CHECK(times.rungs[0].queries == 6);
  CHECK(times.rungs[1].queries == 2);
}
