// Parts of the benchmarks that no run of the program shows on demand: what a
// wrong answer does, and what figures are held against on a device not at hand.
#include <stdexcept>

#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include "bench/knn_check.hpp"
#include "bench/published.hpp"
#include "bench/recorder.hpp"
#include "bench/voting.hpp"
#include "report/plot.hpp"
#include "trace.hpp"

using namespace proxel;
using namespace proxel::tool;

namespace {

// Query q finds rows q, q + 1, ... at distances 0.5, 1.5, ...
Neighbors answers(std::uint64_t queries, std::uint64_t k) {
  Neighbors made{Matrix<std::uint32_t>(queries, k), Matrix<float>(queries, k)};
  for (std::uint64_t query = 0; query < queries; ++query)
    for (std::uint64_t slot = 0; slot < k; ++slot) {
      made.indices(query, slot) = static_cast<std::uint32_t>(query + slot);
      made.distances(query, slot) = 0.5f + static_cast<float>(slot);
    }
  return made;
}

const Cell& cell(const Table& table, const std::string& heading, std::size_t row = 0) {
  for (std::size_t column = 0; column < table.columns().size(); ++column)
    if (table.columns()[column].heading == heading) return table.rows()[row][column];
  throw std::logic_error("no such column");
}

}  // namespace

TEST_CASE("a wrong answer anywhere is found and named") {
  const Neighbors expected = answers(100, 3);
  CHECK_FALSE(check_all(expected, expected, 200));
  Neighbors wrong = expected;
  wrong.indices(99, 2) = 7;
  const auto difference = check_all(expected, wrong, 200);
  REQUIRE(difference);
  CHECK(difference->find("query 99, slot 2: row 7") == 0);
  // One unit in the last place.
  wrong = expected;
  wrong.distances(41, 0) = 0.50000006f;
  CHECK(check_all(expected, wrong, 200));
}

TEST_CASE("a sample is compared with the answers of its own queries") {
  const std::vector<std::uint64_t> sample = spread_sample(100, 5);
  CHECK(sample == std::vector<std::uint64_t>{0, 24, 49, 74, 99});
  const Neighbors all = answers(100, 2);
  Neighbors expected{Matrix<std::uint32_t>(5, 2), Matrix<float>(5, 2)};
  for (std::uint64_t row = 0; row < 5; ++row)
    for (std::uint64_t slot = 0; slot < 2; ++slot) {
      expected.indices(row, slot) = all.indices(sample[row], slot);
      expected.distances(row, slot) = all.distances(sample[row], slot);
    }
  CHECK_FALSE(check_sample(expected, sample, all, 200));
  Neighbors wrong = all;
  wrong.indices(74, 1) = 1;
  CHECK(check_sample(expected, sample, wrong, 200).value().find("query 74, slot 1") == 0);
  wrong = all;
  wrong.indices(73, 1) = 1;  // not in the sample
  CHECK_FALSE(check_sample(expected, sample, wrong, 200));
}

TEST_CASE("nothing to compare with is an error, not a success") {
  const Neighbors all = answers(4, 2);
  CHECK_THROWS_AS(check_sample({}, {}, all, 10), std::logic_error);
  CHECK_THROWS_AS(check_all({Matrix<std::uint32_t>(4, 0), Matrix<float>(4, 0)},
                            {Matrix<std::uint32_t>(4, 0), Matrix<float>(4, 0)}, 10),
                  std::logic_error);
  CHECK_THROWS_AS(check_all(all, answers(5, 2), 10), std::logic_error);
  CHECK_THROWS_AS(check_sample(answers(1, 2), {4}, all, 10), std::logic_error);
  // Padding that equals padding says nothing.
  Neighbors padded = all;
  padded.indices(3, 0) = no_neighbor;
  CHECK_THROWS_AS(check_all(padded, padded, 10), std::logic_error);
  CHECK_THROWS_AS(check_all(all, all, 2), std::logic_error);
}

TEST_CASE("targets are those of the backend, and the fastest peer is found") {
  const Shape largest{65'536, 256, 65'536};
  CHECK(target_ms(BackendKind::cuda, largest, 20) == 8.0);
  CHECK(target_ms(BackendKind::vulkan, largest, 20) == 16.0);
  CHECK_FALSE(target_ms(BackendKind::cpu, largest, 20));
  CHECK_FALSE(target_ms(BackendKind::cuda, largest, 21));
  CHECK(fastest_peer(largest, 20).value().name == "FAISS 1.15");
  const Shape small{4096, 16, 4096};
  CHECK(fastest_peer(small, 20).value().name == "cuVS 26.08");
  CHECK(target_ms(BackendKind::vulkan, small, 20).value() == doctest::Approx(1.5 * 0.174));
  CHECK(target_ms(BackendKind::cuda, {8192, 64, 8192}, 20).value() == doctest::Approx(0.189));
  CHECK_FALSE(target_ms(BackendKind::cuda, {32'768, 64, 32'768}, 20));
  DeviceInfo device;
  device.name = "NVIDIA H200";
  CHECK(is_published_device(device));
  device.name = "llvmpipe";
  CHECK_FALSE(is_published_device(device));
}

TEST_CASE("a row shows its target, its peer and what its rungs decided") {
  Recorder recorder(false);
  BenchRow row{"garcia_table1", "proxel_fused_cuda:0", "l2sq", 65'536, 65'536, 256, 20, 10, 9, "", {}};
  row.yardsticks = Yardsticks{
      8.0, PeerFigure{"FAISS 1.15", 74}, true, {0.1, 43, 3}, 1 << 20, {{"half precision", 65'000}, {"canonical", 536}}};
  recorder.add(row);
  recorder.add({"ceiling", "copy", "-", 0, 0, 0, 0, 1, 0, "", {}});
  const Table table = recorder.table();
  CHECK(cell(table, "target").text == "8.000");
  CHECK(cell(table, "target").style == Style::bad);
  CHECK(cell(table, "published, H200").text == "FAISS 1.15 74.00");
  CHECK(cell(table, "ratio").text == "7.40 ×");
  CHECK(cell(table, "float floor").text == "43.00");
  CHECK(cell(table, "scratch").text == "1.0 MiB");
  CHECK(cell(table, "remark").text == "decided by: half precision 99.18 %, canonical 0.8179 %");
  CHECK(cell(table, "target", 1).text.empty());
}

TEST_CASE("the trace shows the queries that each rung decided") {
  const Table table = rung_table({{"half precision", 3}, {"canonical", 1}});
  REQUIRE(table.rows().size() == 2);
  CHECK(table.rows()[0][1].text == "3");
  CHECK(table.rows()[1][2].text == "25.0 %");
}

TEST_CASE("neighbours vote for their images, and matches only where they are unambiguous") {
  // Images of two rows. The first query is ambiguous, the second is not.
  Neighbors found{Matrix<std::uint32_t>(2, 3), Matrix<float>(2, 3)};
  const std::uint32_t indices[2][3] = {{0, 2, 1}, {3, 2, 0}};
  const float distances[2][3] = {{9, 10, 11}, {1, 2, 10}};
  for (std::uint64_t query = 0; query < 2; ++query)
    for (std::uint64_t slot = 0; slot < 3; ++slot) {
      found.indices(query, slot) = indices[query][slot];
      found.distances(query, slot) = distances[query][slot];
    }
  const Votes votes = count_votes(found, 5, 2);
  CHECK(votes.of_neighbors == std::vector<std::uint64_t>{3, 3, 0});
  CHECK(votes.of_matches == std::vector<std::uint64_t>{0, 1, 0});
  CHECK(winner(votes.of_matches) == "image 1 with 1 of 1 votes, then image 0 with 0");
}

TEST_CASE("charts have room for x below 0 and for long names of bars") {
  const std::string lines = to_svg(LineChart{"title", "x", "y", false, false, {{"series", {{-3, 1}, {7, 2}}}}});
  const std::size_t path = lines.find("line\" d=\"M");
  REQUIRE(path != std::string::npos);
  CHECK(std::stod(lines.substr(path + 10)) >= 70);  // where the plot begins
  CHECK(lines.find(">0</text>") != std::string::npos);
  CHECK(lines.find(">-0</text>") == std::string::npos);
  const std::string name(40, 'n');
  const std::string bars = to_svg(BarChart{"title", "ms", {"part"}, {{name, {1}}}});
  const std::size_t label = bars.find("text-anchor=\"end\">" + name);
  REQUIRE(label != std::string::npos);
  CHECK(std::stod(bars.substr(bars.rfind("x=\"", label) + 3)) >= 40 * 7);
}
