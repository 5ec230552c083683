// How `proxel-bench cliffs` judges times, and where it walks: times that are made here, so that every verdict is seen.
#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include "bench/cliffs/judge.hpp"
#include "bench/cliffs/walks.hpp"
#include "proxel/error.hpp"

using namespace proxel;
using namespace proxel::tool::cliffs;

namespace {

constexpr Tolerance allowed{1.25, 1.5, 0.02};

std::vector<std::uint64_t> sizes_along(const Walk& walk) {
  std::vector<std::uint64_t> visited;
  for (const Place& place : places_of(walk)) visited.push_back(size_of(place.point, walk.axis));
  return visited;
}

}  // namespace

TEST_CASE("a choice fails where another method is faster by more than is allowed") {
  const std::vector<MethodTime> others = {{"scan", 2}, {"fused", 0.3}, {"texel", 9}};
  const auto cliff = judge_choice({"bvh", 1.1}, others, allowed);
  REQUIRE(cliff);
  CHECK(cliff->slow.method == "bvh");
  CHECK(cliff->fast.method == "fused");
  CHECK(cliff->ratio() == doctest::Approx(1.1 / 0.3));
  CHECK_FALSE(judge_choice({"bvh", 0.39}, others, allowed));
  CHECK(judge_choice({"bvh", 0.4}, others, allowed));
}

TEST_CASE("what starting work costs is no cliff") {
  const std::vector<MethodTime> others = {{"scan", 0.01}};
  CHECK_FALSE(judge_choice({"bvh", 0.03}, others, allowed));
  CHECK(judge_choice({"bvh", 0.04}, others, allowed));
  CHECK(judge_choice({"bvh", 0.03}, others, {1.25, 1.5, 0}));
  CHECK_FALSE(judge_step({"scan", 0.01}, {"scan", 0.03}, allowed));
}

TEST_CASE("methods that were not measured are passed over, and the first of equally good ones is named") {
  const double infinite = std::numeric_limits<double>::infinity();
  CHECK_FALSE(judge_choice({"bvh", 1}, {}, allowed));
  CHECK_FALSE(judge_choice({"bvh", 1}, std::vector<MethodTime>{{"scan", 0}, {"fused", infinite}}, allowed));
  CHECK_FALSE(judge_choice({"bvh", 0}, std::vector<MethodTime>{{"scan", 0.1}}, allowed));
  CHECK(judge_choice({"bvh", 1}, std::vector<MethodTime>{{"fused", 0.2}, {"scan", 0.2}}, allowed)->fast.method ==
        "fused");
  CHECK_FALSE(judge_choice({"bvh", 1}, std::vector<MethodTime>{{"fused", 1}, {"scan", 1}}, allowed));
  CHECK_FALSE(judge_step({"scan", 0}, {"scan", 5}, allowed));
}

TEST_CASE("a step fails in either direction") {
  for (const auto& cliff :
       {judge_step({"fused", 1.25}, {"scan", 17}, allowed), judge_step({"scan", 17}, {"fused", 1.25}, allowed)}) {
    REQUIRE(cliff);
    CHECK(cliff->slow.method == "scan");
    CHECK(cliff->fast.method == "fused");
    CHECK(cliff->allowed == 1.5);
  }
  CHECK_FALSE(judge_step({"fused", 1}, {"scan", 1.5}, allowed));
  CHECK_FALSE(judge_step({"fused", 1}, {"fused", 1}, allowed));
}

TEST_CASE("a suspicion stands only where every round shows it, and there were three") {
  const Cliff suspected{{"bvh", 9}, {"fused", 1}, 1.25};
  const std::vector<Round> shown = {{4, 1}, {3, 1}, {5, 2}};
  const auto cliff = confirm(suspected, shown, 0.02);
  REQUIRE(cliff);
  CHECK(cliff->slow.ms == 4);
  CHECK(cliff->fast.ms == 1);
  CHECK_FALSE(confirm(suspected, std::vector<Round>{{4, 1}, {3, 1}}, 0.02));
  CHECK_FALSE(confirm(suspected, std::vector<Round>{{4, 1}, {1, 1}, {5, 2}}, 0.02));
  CHECK_FALSE(confirm(suspected, std::vector<Round>{{4, 1}, {4, 0}, {5, 2}}, 0.02));
}

TEST_CASE("a point is read as it was written") {
  const Point point{Metric::linf, 65536, 100, 8, 10};
  CHECK(to_argument(point) == "metric=linf,n=65536,q=100,d=8,k=10");
  CHECK(point_from(to_argument(point)) == point);
  CHECK(point_from("k=10,d=8,n=65536,metric=linf,q=100") == point);
  CHECK(to_text({Metric::l2sq, 65536, 1, 8, 10}) == "l2sq, 65,536 × 8, one query, k = 10");
  for (const char* wrong : {"n", "n=", "n=0", "n=-1", "n=5x", "m=5", "metric=l3", "n=4294967295", "n=5,,k=1"}) {
    const std::string argument = std::string(wrong) + ",metric=l1,q=1,d=1,k=1";
    CAPTURE(argument);
    CHECK_THROWS_AS(point_from(argument), Error);
  }
  for (const char* wrong : {"", "k=10", "n=5,q=5,d=8,k=3", "metric=l1,n=5,q=5,d=8,k=3,k=4"}) {
    CAPTURE(wrong);
    CHECK_THROWS_AS(point_from(wrong), Error);
  }
}

TEST_CASE("a step of one is along one size") {
  const Point point{Metric::l2sq, 100, 100, 100, 100};
  CHECK(step_between(point, with(point, Axis::neighbors, 101)) == Axis::neighbors);
  CHECK(step_between(with(point, Axis::rows, 101), point) == Axis::rows);
  CHECK_FALSE(step_between(point, point));
  CHECK_FALSE(step_between(point, with(point, Axis::rows, 102)));
  CHECK_FALSE(step_between(point, with(with(point, Axis::rows, 101), Axis::queries, 101)));
  CHECK_FALSE(step_between(point, {Metric::l1, 101, 100, 100, 100}));
}

TEST_CASE("places lie at limits and beside them, each once and in order") {
  Walk walk{"k", Axis::neighbors, {}, {}, 12};
  add_limits(walk,
             std::vector<Limit>{{8, "a"}, {1, "b"}, {9, "c"}, {8, "again"}, {0, "none"}, {12, "d"}, {13, "past"}});
  CHECK(walk.limits.size() == 4);
  CHECK(sizes_along(walk) == std::vector<std::uint64_t>{1, 2, 7, 8, 9, 10, 11, 12});
  CHECK(places_of(walk)[3].limit == "a");
  CHECK(places_of({"metric", Axis::metric}).size() == all_metrics.size());
}

TEST_CASE("a change of the choice is found to the one") {
  const std::vector<std::uint64_t> among = {1, 16, 64, 1024};
  const auto choose = [](std::uint64_t size) {
    return std::string_view(size < 37 ? "scan" : size < 900 ? "fused" : "bvh");
  };
  const std::vector<Limit> found = changes_of(among, choose);
  REQUIRE(found.size() == 2);
  CHECK(found[0].size == 37);
  CHECK(found[0].name == "fused is chosen where scan was");
  CHECK(found[1].size == 900);
  CHECK(changes_of(among, [](std::uint64_t) { return std::string_view("scan"); }).empty());
}

TEST_CASE(
    "walks visit what depends on the device: its multiprocessors, and codes that leave so many rows that they are "
    "listed") {
  const auto visited = [](Axis axis, const Point& base, std::uint64_t most) {
    Walk walk{"w", axis, base, {}, most};
    add_limits_of_device(walk, 37);
    return sizes_along(walk);
  };
  CHECK(visited(Axis::queries, {Metric::l2sq, 1000, 1, 8, 1}, 100) == std::vector<std::uint64_t>{36, 37, 38});
  CHECK(visited(Axis::queries, {Metric::l2sq, 1000, 1, 8, 1}, 30).empty());
  CHECK(visited(Axis::neighbors, {Metric::l1, 65536, 100, 64, 1}, 2100).size() == 3);
  CHECK(visited(Axis::dimensions, {Metric::l1, 65536, 100, 1, 10}, 600).size() == 3);
  CHECK(visited(Axis::dimensions, {Metric::l2sq, 65536, 100, 1, 10}, 600).empty());
}

TEST_CASE("walks have places, by names that differ, on devices around the limits that are known to matter") {
  for (const Extent extent : {Extent::quick, Extent::host, Extent::device}) {
    std::vector<std::string> names;
    for (const Walk& walk : walks_of(extent)) {
      CAPTURE(walk.name);
      names.push_back(walk.name);
      CHECK(places_of(walk).size() > 2);
      if (extent == Extent::device && walk.axis == Axis::neighbors)
        CHECK(std::ranges::count(sizes_along(walk), 1025u) == 1);
      if (extent == Extent::device && walk.axis == Axis::dimensions)
        for (const std::uint64_t size : {7u, 8u, 9u}) CHECK(std::ranges::count(sizes_along(walk), size) == 1);
    }
    std::ranges::sort(names);
    CHECK(std::ranges::unique(names).empty());
  }
}
