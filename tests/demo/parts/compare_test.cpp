#include <algorithm>
#include <optional>

#include <doctest/doctest.h>

#include "compare/chart.hpp"
#include "compare/compare_task.hpp"
#include "proxel/error.hpp"

namespace {

namespace tool = proxel::tool;
const tool::Watch silent{[](const std::string&) {}, {}};

tool::Comparison compare(demo::CompareTask task, bool spoil = false) {
  const auto data = demo::load(task, DEMO_DATA "/words.txt.gz");
  tool::Comparison comparison = demo::describe(*data);
  std::optional<proxel::Neighbors> reference;
  for (const std::string& device : demo::compared_devices(*data, {"cpu"})) {
    comparison.measured.push_back(demo::measure_task(*data, device, reference, silent));
    if (spoil) reference->indices(0, 0) ^= 1;
  }
  if (comparison.measured.size() == 1)
    comparison.measured.push_back(demo::measure_task(*data, "cpu", reference, silent));
  return comparison;
}

}  // namespace

TEST_CASE("vectors, words and signatures are compared with the reference") {
  demo::CompareTask task;
  task.queries = 3;
  task.signatures = 200;
  task.rows = 300;
  for (const demo::Subject subject : {demo::Subject::vectors, demo::Subject::words, demo::Subject::signatures}) {
    task.subject = subject;
    const tool::Comparison comparison = compare(task);
    CAPTURE(comparison.verdict());
    CHECK(comparison.good());
    CHECK(comparison.count(tool::Measured::Outcome::identical) == 1);
    CHECK(comparison.queries == 3);
    // The first search, which makes what the others use, is apart from them.
    CHECK(comparison.measured.back().first > 0);
    CHECK(comparison.distance_name() == (subject == demo::Subject::vectors ? "l2sq"
                                         : subject == demo::Subject::words ? "levenshtein"
                                                                           : "sqfd"));
    // Words have one way of searching; the others say which of theirs answered.
    const std::string method = comparison.measured.back().method_name();
    CAPTURE(method);
    CHECK((method == "exact") == (subject == demo::Subject::words));
    CHECK(method != "auto");
  }
}

TEST_CASE("another answer than the reference's is told") {
  demo::CompareTask task;
  task.queries = 3;
  for (const demo::Subject subject : {demo::Subject::vectors, demo::Subject::words}) {
    task.subject = subject;
    const tool::Comparison comparison = compare(task, true);
    CHECK_FALSE(comparison.good());
    CHECK(comparison.verdict().find("differ") != std::string::npos);
  }
}

TEST_CASE("what a method refuses and a device that is not there are outcomes") {
  demo::CompareTask task;
  task.rows = 300;
  task.method = proxel::Method::bvh;  // 16 dimensions are too many for it
  const auto data = demo::load(task, "");
  std::optional<proxel::Neighbors> reference;
  CHECK(demo::measure_task(*data, "cpu", reference, silent).outcome == tool::Measured::Outcome::not_supported);
  CHECK(demo::measure_task(*data, "cuda:99", reference, silent).outcome == tool::Measured::Outcome::failed);
}

TEST_CASE("a file that cannot be read is named") {
  demo::CompareTask task;
  task.file = "/nowhere/rows.npy";
  for (const demo::Subject subject : {demo::Subject::vectors, demo::Subject::words, demo::Subject::signatures}) {
    task.subject = subject;
    CHECK_THROWS_WITH_AS(demo::load(task, ""), doctest::Contains("rows.npy"), proxel::Error);
  }
}

TEST_CASE("settings are read back; what is wrong in them is left aside") {
  demo::CompareTask task;
  task.subject = demo::Subject::words;
  task.k = 7;
  task.metric = proxel::Metric::linf;
  demo::CompareTask read;
  demo::from_json(demo::to_json(task), read);
  CHECK(demo::to_json(read) == demo::to_json(task));
  demo::from_json({{"k", "many"}, {"rows", -3}, {"subject", "poems"}, {"alpha", nullptr}}, read);
  CHECK(read.k == 7);
  CHECK(read.rows == 100);
  CHECK(read.subject == demo::Subject::words);
  demo::from_json(3, read);
  CHECK(read.k == 7);
}

TEST_CASE("the chart has a bar for each answer, the table a line") {
  demo::CompareTask task;
  task.rows = 300;
  tool::Comparison comparison = compare(task);
  const auto chart = demo::draw_chart(comparison);
  CHECK(chart.rgb.size() == std::size_t{chart.width} * chart.height * 3);
  CHECK(std::count(chart.rgb.begin(), chart.rgb.end(), 0xFF) < static_cast<std::ptrdiff_t>(chart.rgb.size()));
  const std::string csv = demo::to_csv(comparison.table());
  CHECK(std::count(csv.begin(), csv.end(), '\n') == 1 + static_cast<std::ptrdiff_t>(comparison.measured.size()));
  comparison.measured.back().reason = "a \"reason\", with a comma";
  comparison.measured.back().outcome = tool::Measured::Outcome::failed;
  CHECK(demo::to_csv(comparison.table()).find("\"FAILED: a \"\"reason\"\", with a comma\"") != std::string::npos);
  CHECK(demo::draw_chart(comparison).height == chart.height);
}
