#include <algorithm>
#include <optional>
#include <string>
#include <variant>

#include <doctest/doctest.h>

#include "compare/all_comparisons.hpp"
#include "compare/chart.hpp"
#include "compare/compare_task.hpp"
#include "proxel/error.hpp"

namespace {

namespace tool = proxel::tool;
const tool::Watch silent{[](const std::string&) {}, {}};

tool::Comparison compare(const demo::CompareTask& task, bool spoil = false) {
  const tool::TaskPointer search = demo::make_search(task, DEMO_DATA "/words.txt.gz");
  tool::Comparison comparison = demo::describe(*search);
  std::optional<tool::Answer> reference;
  auto subjects = demo::compared_subjects(task, *search, {"cpu"});
  if (subjects.size() == 1) subjects.push_back(subjects.front());
  for (const tool::Subject& subject : subjects) {
    comparison.measured.push_back(demo::measure_subject(*search, subject, reference, silent));
    if (!spoil) continue;
    if (auto* nearest = std::get_if<proxel::Neighbors>(&*reference)) nearest->indices(0, 0) ^= 1;
    if (auto* within = std::get_if<proxel::RangeNeighbors>(&*reference)) within->indices.at(0) ^= 1;
  }
  return comparison;
}

demo::CompareTask small(demo::Subject subject) {
  demo::CompareTask task;
  task.subject = subject;
  task.queries = 3;
  task.signatures = 200;
  task.rows = 300;
  return task;
}

}  // namespace

TEST_CASE("every kind of search is compared with the reference") {
  for (const demo::Subject subject : demo::all_subjects) {
    const tool::Comparison comparison = compare(small(subject));
    CAPTURE(comparison.verdict());
    CHECK(comparison.good());
    CHECK(comparison.what == demo::subject_names[static_cast<int>(subject)]);
    CHECK(comparison.count(tool::Measured::Outcome::identical) == 1);
    CHECK(comparison.queries == (subject == demo::Subject::graph ? 300 : 3));
    // The first search, which makes what the others use, is apart from them.
    CHECK(comparison.measured.back().first > 0);
    const tool::SearchedObjects objects = demo::objects_of(subject);
    CHECK(comparison.distance == (objects == tool::SearchedObjects::vectors ? "l2sq"
                                  : objects == tool::SearchedObjects::words ? "levenshtein"
                                                                            : "sqfd"));
    // Words have one way of searching; the others say which of theirs answered.
    const std::string method = comparison.measured.back().method;
    CAPTURE(method);
    CHECK((method == "exact") == (subject == demo::Subject::words));
    CHECK(method != "auto");
    CHECK(comparison.measured.back().recall.has_value() == (subject == demo::Subject::permutations));
  }
}

TEST_CASE("all devices together are one more, but for permutations") {
  for (const demo::Subject subject : demo::all_subjects) {
    demo::CompareTask task = small(subject);
    task.together = true;
    const tool::TaskPointer search = demo::make_search(task, DEMO_DATA "/words.txt.gz");
    const auto subjects = demo::compared_subjects(task, *search, {"cpu", "cpu:reference"});
    const bool divided = subjects.back().device == "cpu+cpu:reference";
    CHECK(divided == (subject != demo::Subject::permutations));
    std::optional<tool::Answer> reference;
    demo::measure_subject(*search, subjects.front(), reference, silent);
    const tool::Measured measured = demo::measure_subject(*search, subjects.back(), reference, silent);
    CAPTURE(measured.verdict());
    CHECK(measured.outcome == tool::Measured::Outcome::identical);
  }
  demo::CompareTask alone = small(demo::Subject::vectors);
  alone.together = true;
  CHECK(demo::compared_subjects(alone, *demo::make_search(alone, ""), {"cpu"}).back().device == "cpu");
}

TEST_CASE("another answer than the reference's is told") {
  for (const demo::Subject subject : demo::all_subjects) {
    const tool::Comparison comparison = compare(small(subject), true);
    CHECK_FALSE(comparison.good());
    CHECK(comparison.verdict().find("differ") != std::string::npos);
  }
}

TEST_CASE("what a method refuses and a device that is not there are outcomes") {
  demo::CompareTask task;
  task.rows = 300;
  const tool::TaskPointer search = demo::make_search(task, "");
  std::optional<tool::Answer> reference;
  // 16 dimensions are too many for it.
  CHECK(demo::measure_subject(*search, {"cpu", "bvh"}, reference, silent).outcome ==
        tool::Measured::Outcome::not_supported);
  CHECK(demo::measure_subject(*search, {"cuda:99", "auto"}, reference, silent).outcome ==
        tool::Measured::Outcome::failed);
}

TEST_CASE("a file of other objects changes what is searched") {
  demo::CompareTask task;
  task.subject = demo::Subject::permutations;
  demo::take_file(task, DEMO_DATA "/words.txt.gz");
  CHECK(task.subject == demo::Subject::permutations);
  demo::take_file(task, DEMO_DATA "/digits.csv.gz");
  CHECK(task.subject == demo::Subject::vectors);
  task.subject = demo::Subject::graph;
  demo::take_file(task, DEMO_DATA "/covtype_20k.csv.gz");
  CHECK(task.subject == demo::Subject::graph);
  demo::take_file(task, DEMO_DATA "/words.txt.gz");
  CHECK(task.subject == demo::Subject::words);
  demo::take_file(task, "photos.sig");
  CHECK(task.subject == demo::Subject::signatures);
}

TEST_CASE("a file that cannot be read is named") {
  demo::CompareTask task;
  task.file = "/nowhere/rows.npy";
  for (const demo::Subject subject : demo::all_subjects) {
    task.subject = subject;
    CHECK_THROWS_WITH_AS(demo::make_search(task, ""), doctest::Contains("rows.npy"), proxel::Error);
  }
}

TEST_CASE("settings are read back; what is wrong in them is left aside") {
  demo::CompareTask task;
  task.subject = demo::Subject::words;
  task.k = 7;
  task.together = true;
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
  const std::string csv = demo::to_csv(tool::table_of(comparison));
  CHECK(std::count(csv.begin(), csv.end(), '\n') == 1 + static_cast<std::ptrdiff_t>(comparison.measured.size()));
  comparison.measured.back().reason = "a \"reason\", with a comma";
  comparison.measured.back().outcome = tool::Measured::Outcome::failed;
  CHECK(demo::to_csv(tool::table_of(comparison)).find("\"FAILED: a \"\"reason\"\", with a comma\"") !=
        std::string::npos);
  CHECK(demo::draw_chart(comparison).height == chart.height);
}
