// More queries than pass at once are searched in blocks of equal size.
#include <vector>

#include <doctest/doctest.h>

#include "proxel/index.hpp"
#include "session/each_block.hpp"
#include "session/queries_at_once.hpp"
#include "support.hpp"

using namespace proxel;
using namespace proxel::unit;

TEST_CASE("blocks are as few as fit, and of equal size where the queries divide") {
  const auto device = open_device("cpu");
  session::Pace pace(*device);
  const auto sizes_of = [&](std::uint64_t queries, std::uint64_t most) {
    std::vector<std::uint64_t> sizes;
    std::uint64_t next = 0;
    session::each_block({.queries = queries, .most = most}, pace, {}, SearchTimes{},
                        [&](std::uint64_t first, std::uint64_t count) {
      CHECK(first == next);
      next = first + count;
      sizes.push_back(count);
    }, [] {});
    CHECK(next == queries);
    return sizes;
  };
  using Sizes = std::vector<std::uint64_t>;
  CHECK(sizes_of(0, 7) == Sizes{});
  CHECK(sizes_of(1, 1) == Sizes{1});
  CHECK(sizes_of(50, 50) == Sizes{50});
  CHECK(sizes_of(51, 50) == Sizes{26, 25});
  CHECK(sizes_of(100, 60) == Sizes{50, 50});
  CHECK(sizes_of(101, 50) == Sizes{34, 34, 33});
  CHECK(sizes_of(3, 1) == Sizes{1, 1, 1});
}

TEST_CASE("queries in several blocks find what they find alone") {
  constexpr std::uint64_t dimensions = 2048, k = 2;
  const std::uint64_t at_once = session::queries_at_once((dimensions + 2 * k) * 4);
  const auto device = open_device("cpu");
  const Matrix<float> database = make_values(9, dimensions, Temper::uniform, 1);
  Index index(*device, database.view());
  for (const std::uint64_t count : {at_once, at_once + 2 - at_once % 2, at_once + 1 + at_once % 2}) {
    CAPTURE(count);
    const Matrix<float> asked = make_values(count, dimensions, Temper::uniform, 2);
    std::vector<std::uint64_t> told;
    const SearchOptions with{.progress = [&](std::uint64_t done, std::uint64_t total) {
      CHECK(total == count);
      if (told.empty() || told.back() != done) told.push_back(done);
    }};
    const Neighbors found = index.search(asked.view(), k, Metric::l1, with);
    REQUIRE(!told.empty());
    CHECK(told.back() == count);
    for (const std::uint64_t query : {std::uint64_t{0}, count / 2 - 1, count / 2, count / 2 + 1, count - 1}) {
      const Neighbors alone = index.search(asked.view().slice(query, 1), k, Metric::l1);
      for (std::uint64_t place = 0; place < k; ++place) {
        CHECK(found.indices(query, place) == alone.indices(0, place));
        CHECK(found.distances(query, place) == alone.distances(0, place));
      }
    }
    std::uint64_t decided = 0;
    for (const RungCount& rung : found.report.rungs) decided += rung.queries;
    CHECK((found.report.rungs.empty() || decided == count));
  }
}
