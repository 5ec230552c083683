// A device of several fails: the call says which and why, and the index answers again or says that it cannot.
#include <numeric>

#include "failing_device.hpp"
#include "proxel/sharded_index.hpp"
#include "refused.hpp"
#include "support.hpp"

namespace {

using namespace proxel;
using namespace proxel::unit;

struct Fixture {
  std::unique_ptr<Device> whole = open_device("cpu");
  FailingDevice failing;
  Matrix<float> database = make_values(900, 5, Temper::ties, 1), queries = make_values(40, 5, Temper::ties, 2);
  std::vector<Device*> devices{whole.get(), &failing};

  ShardedIndex index(Division division) {
    return ShardedIndex(devices, database.view(), {.division = division, .shares = {1, 1}});
  }
  void check_answers(ShardedIndex& many, Index& one) const {
    const Neighbors found = many.search(queries.view(), 7, Metric::l2),
                    expected = one.search(queries.view(), 7, Metric::l2);
    CHECK(found.indices == expected.indices);
    CHECK(found.distances == expected.distances);
  }
};

}  // namespace

TEST_CASE("a device that fails is named, and answers again when it can") {
  for (const Division division : {Division::rows, Division::queries}) {
    CAPTURE(to_string(division));
    Fixture fixture;
    ShardedIndex many = fixture.index(division);
    Index one(*fixture.whole, fixture.database.view());
    fixture.failing.loses_work = true;
    const auto lost = ErrorCode::device_lost;
    check_refused([&] { many.search(fixture.queries.view(), 7, Metric::l2); }, "cpu:failing", lost);
    check_refused([&] { many.range_search(fixture.queries.view(), 1, Metric::l2); }, "cpu:failing", lost);
    check_refused([&] { knn_graph(many, 3, Metric::l2); }, "cpu:failing", lost);
    // The same where progress is told, which the failure of one ends for all.
    check_refused([&] {
      many.search(fixture.queries.view(), 7, Metric::l2, {.progress = [](std::uint64_t, std::uint64_t) {}});
    }, "cpu:failing", lost);
    fixture.failing.loses_work = false;
    fixture.check_answers(many, one);
  }
}

TEST_CASE("an index is not made where one of its devices has no memory") {
  Fixture fixture;
  fixture.failing.has_no_memory = true;
  check_refused([&] { fixture.index(Division::rows); }, "cpu:failing", ErrorCode::out_of_memory);
}

TEST_CASE("rows go to another device where the one whose turn it is has no memory") {
  Fixture fixture;
  ShardedIndex many = fixture.index(Division::rows);
  Index one(*fixture.whole, fixture.database.view());
  const Matrix<float> more = make_values(300, 5, Temper::ties, 3);
  many.add(more.view());  // to the emptier, so that the other is next
  one.add(more.view());
  const std::uint64_t before = many.shards()[1].rows;
  fixture.failing.has_no_memory = true;
  for (int i = 0; i < 3; ++i) CHECK(many.add(more.view()) == one.add(more.view()));
  CHECK(many.shards()[1].rows == before);
  fixture.failing.has_no_memory = false;
  fixture.check_answers(many, one);
}

TEST_CASE("where all devices hold all rows and one cannot take more, the index says that it cannot answer") {
  Fixture fixture;
  ShardedIndex many = fixture.index(Division::queries);
  fixture.failing.has_no_memory = true;
  check_refused([&] { many.add(fixture.queries.view()); }, "cpu:failing", ErrorCode::out_of_memory);
  fixture.failing.has_no_memory = false;
  check_refused([&] { many.search(fixture.queries.view(), 7, Metric::l2); }, "index", ErrorCode::unsupported);
  check_refused([&] { many.compact(); }, "index", ErrorCode::unsupported);
}

TEST_CASE("rows are taken out after all where a device had failed meanwhile") {
  for (const Division division : {Division::rows, Division::queries}) {
    CAPTURE(to_string(division));
    Fixture fixture;
    ShardedIndex many = fixture.index(division);
    Index one(*fixture.whole, fixture.database.view());
    std::vector<std::uint32_t> gone(300);
    for (std::uint32_t i = 0; i < 300; ++i) gone[i] = i * 3;
    CHECK(many.remove(gone) == one.remove(gone));
    fixture.failing.loses_work = true;
    check_refused([&] { many.compact(); }, "cpu:failing", ErrorCode::device_lost);
    check_refused([&] { many.search(fixture.queries.view(), 7, Metric::l2); }, "index", ErrorCode::unsupported);
    fixture.failing.loses_work = false;
    CHECK(many.compact() == one.compact());
    fixture.check_answers(many, one);
  }
}
