// Bounding volume hierarchies: when they are chosen, and what is built.
#include <algorithm>
#include <cstring>
#include <numeric>

#include "passes/memory.hpp"
#include "proxel/bvh.hpp"
#include "proxel/index.hpp"
#include "support.hpp"

using namespace proxel;

namespace {

Matrix<float> spiral(std::uint64_t rows, std::uint64_t dimensions) {
  Matrix<float> values(rows, dimensions);
  for (std::uint64_t i = 0; i < rows; ++i)
    for (std::uint64_t j = 0; j < dimensions; ++j)
      values(i, j) = static_cast<float>((i * (2654435761u + 40503u * j)) % 65521) / 65521.0f;
  return values;
}

}  // namespace

TEST_CASE("auto takes boxes for many queries in few dimensions, and another method elsewhere") {
  const auto device = open_device("cpu");
  const auto method = [&](std::uint64_t dimensions, std::uint32_t queries, Metric metric, std::uint64_t k) {
    const Matrix<float> rows = spiral(4096, dimensions);
    return Index(*device, rows.view()).method(metric, k, queries);
  };
  CHECK(method(1, 4096, Metric::l2sq, 20) == Method::bvh);
  CHECK(method(6, 16384, Metric::linf, 20) == Method::bvh);
  CHECK(method(3, 1, Metric::l2sq, 20) == Method::scan);
  CHECK(method(8, 4096, Metric::l2sq, 1) != Method::bvh);
  CHECK(method(3, 4096, Metric::ip, 20) != Method::bvh);
}

TEST_CASE("an answer, and a plan, says which method it comes from") {
  const auto device = open_device("cpu");
  const Matrix<float> rows = spiral(2000, 2);
  Index index(*device, rows.view());
  CHECK(index.search(rows.view().slice(0, 1), 5, Metric::l1).report.method == "scan");
  CHECK(index.search(rows.view(), 5, Metric::l1).report.method == "bvh");
  CHECK(index.search(rows.view(), 5, Metric::ip).report.method == "scan");
  CHECK(index.plan(2000, 5, Metric::l1)->info().method == "bvh");
  CHECK(index.search(rows.view().slice(0, 1), 5, Metric::l1).report.method == "bvh");
  CHECK(index.search(rows.view().slice(0, 0), 5, Metric::l1).report.method == "");
  CHECK(index.range_search(rows.view(), 0.1f, Metric::cosine).report.method == "scan");
  CHECK(index.plan_range(3, 0.1f, Metric::l2)->info().method == "scan");
  index.remove(std::vector<std::uint32_t>{1});
  CHECK(index.plan(2000, 5, Metric::l1)->info().method == index.search(rows.view(), 5, Metric::l1).report.method);
  CHECK(index.method() == Method::automatic);
}

TEST_CASE(
    "on a processor boxes are built when the searches so far would have repaid it, or for a plan, which is often "
    "executed") {
  const auto device = open_device("cpu");
  const Matrix<float> rows = spiral(4096, 3);
  const MatrixView<float> queries = rows.view().slice(100, 40);
  Index scan(*device, rows.view(), {.method = Method::scan});
  const Neighbors expected = scan.search(queries, 10, Metric::l2sq);
  Index index(*device, rows.view());
  const auto scans_before_boxes = [&] {
    for (int scans = 0; scans < 100; ++scans) {
      const Method told = index.method(Metric::l2sq, 10, 40);
      const Neighbors found = index.search(queries, 10, Metric::l2sq);
      unit::check_same(found, expected);
      CHECK(found.report.method == to_string(told));
      if (told == Method::bvh) return scans;
    }
    return 100;
  };
  // Where a filter leaves rows out, boxes would spare nothing.
  Matrix<std::uint32_t> filter(1, 4096 / 32);
  std::fill_n(filter.data(), filter.columns(), 0xFFFFFFFFu);
  for (int i = 0; i < 100; ++i)
    CHECK(index.search(queries, 10, Metric::l2sq, {.filter = filter.view()}).report.method == "scan");
  const int scans = scans_before_boxes();
  CHECK(scans > 3);
  CHECK(scans < 30);
  CHECK(index.search(queries, 10, Metric::l2sq, {.filter = filter.view()}).report.method == "scan");
  CHECK(scans_before_boxes() == 0);
  // Other rows, other boxes.
  index.add(rows.view().slice(0, 1));
  CHECK(index.method(Metric::l2sq, 10, 40) == Method::scan);
  index.remove(std::vector<std::uint32_t>{4096});
  index.compact();
  CHECK(scans_before_boxes() > 3);
  CHECK(Index(*device, rows.view()).plan(1, 10, Metric::l2sq)->info().method == "bvh");
}

TEST_CASE("a hierarchy orders all rows, in boxes that hold them and few others") {
  const auto device = open_device("cpu");
  constexpr std::uint32_t rows = 3000, dimensions = 3;
  const Matrix<float> values = spiral(rows, dimensions);
  const auto database = device->create_buffer(rows * dimensions * 4, MemoryKind::device);
  // The cpu device's memory is the host's.
  std::memcpy(passes::at<float>(database->address()), values.data(), database->bytes());
  const BoxHierarchy hierarchy(*device, rows, dimensions);
  const auto scratch = device->create_buffer(hierarchy.scratch_bytes(), MemoryKind::device);
  const auto commands = device->create_commands(Timing::none);
  commands->begin();
  hierarchy.record(*commands, row_major_rows(database->address(), rows, dimensions), *scratch);
  commands->end();
  device->submit(*commands);

  const auto* order = passes::at<const std::uint32_t>(hierarchy.order().address());
  std::vector<std::uint32_t> all(order, order + rows);
  std::sort(all.begin(), all.end());
  for (std::uint32_t row = 0; row < rows; ++row) REQUIRE(all[row] == row);

  const auto* coordinates = passes::at<const float>(hierarchy.coordinates().address());
  const auto* boxes = passes::at<const float>(hierarchy.boxes().address());
  double volume = 0;
  for (std::uint32_t place = 0; place < rows; ++place) {
    const std::uint32_t leaf = place / 32;
    double of_leaf = 1;
    for (std::uint32_t j = 0; j < dimensions; ++j) {
      const float value = coordinates[(leaf * dimensions + j) * 32 + place % 32];
      const float* group = boxes + leaf / 32 * 2 * dimensions * 32 + leaf % 32;
      REQUIRE(value == values(order[place], j));
      REQUIRE(group[2 * j * 32] <= value);
      REQUIRE(group[(2 * j + 1) * 32] >= value);
      of_leaf *= group[(2 * j + 1) * 32] - group[2 * j * 32];
    }
    volume += of_leaf / 32;
  }
  // 94 leaves in a cube of volume 1, each around its share and some of its surroundings.
  CHECK(volume < 2);
}

TEST_CASE("what boxes cannot serve is refused with the reason") {
  const auto device = open_device("cpu");
  CHECK(BoxHierarchy::supports(*device, 1000, 8));
  CHECK_FALSE(BoxHierarchy::supports(*device, 1000, 9));
  CHECK_THROWS_AS(BoxHierarchy(*device, 1000, 9), Error);
  const BoxHierarchy hierarchy(*device, 1000, 2);
  SearchDescription description;
  description.rows = 1000;
  description.dimensions = 2;
  description.queries = 3;
  const passes::Rows rows = row_major_rows(4096, 1000, 2);
  CHECK_NOTHROW(BvhPlan::make(*device, description, hierarchy, rows));
  description.metric = Metric::ip;
  CHECK_THROWS_AS(BvhPlan::make(*device, description, hierarchy, rows), Error);
  description.metric = Metric::l2sq;
  description.k = 1025;  // a processor's lists are in memory
  CHECK_NOTHROW(BvhPlan::make(*device, description, hierarchy, rows));
  description.k = 1;
  description.rows = 999;
  CHECK_THROWS_AS(BvhPlan::make(*device, description, hierarchy, rows), Error);
}

TEST_CASE("a filter, and a k that no index has, are not for boxes to answer") {
  const auto device = open_device("cpu");
  const Matrix<float> rows = spiral(2000, 2);
  Index index(*device, rows.view());
  std::vector<std::uint32_t> words((2000 + 31) / 32, 0x01010101u);
  SearchOptions options;
  options.filter = MatrixView<std::uint32_t>(words.data(), 1, words.size());
  CHECK(index.search(rows.view(), 5, Metric::l2sq, options).report.method != "bvh");
  index.remove(std::vector<std::uint32_t>{3, 4});
  CHECK(index.search(rows.view(), 5, Metric::l2sq).report.method == "bvh");
  CHECK_THROWS_AS(index.search(rows.view(), UINT64_MAX, Metric::l2sq), Error);
  CHECK_THROWS_AS(index.search(rows.view(), (std::uint64_t{1} << 61) - 1, Metric::l2sq), Error);
  const Matrix<float> many = spiral(100, 9);
  CHECK_THROWS_AS(Index(*device, many.view(), {.method = Method::bvh}), Error);
}
