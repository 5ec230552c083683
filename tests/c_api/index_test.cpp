// An index of vectors: whatever C asks is answered as C++ answers it, to the bit.
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <numeric>

#include "index_data.hpp"
#include "proxel/components.hpp"
#include "proxel/graph.hpp"

using namespace proxel;
using namespace proxel::c_test;

TEST_CASE("searches by every method and metric") {
  for (const std::string& id : device_ids())
    for (std::uint64_t m = 0; proxel_method_name(m); ++m) {
      CAPTURE(id);
      CAPTURE(proxel_method_name(m));
      Both both(id, proxel_method_name(m));
      for (std::uint64_t i = 0; proxel_metric_name(i); ++i) {
        const char* metric = proxel_metric_name(i);
        CAPTURE(metric);
        AnswerHandle found;
        const proxel_status status = proxel_index_search(both.c, of(both.c_queries), k, by(metric), &found);
        CHECK(proxel_index_supports(both.c, k, by(metric)) == status);
        if (status != PROXEL_OK) {
          const Support support = both.cpp.supports(metric_from_string(metric), k);
          CHECK(status == PROXEL_UNSUPPORTED);
          CHECK_FALSE(support);
          CHECK(found == nullptr);
          continue;
        }
        CHECK(same(found, both.cpp.search(both.asked.view(), k, metric_from_string(metric))));
        const char* answering = nullptr;
        CHECK_OK(proxel_index_method_for(both.c, queries, k, by(metric), &answering));
        CHECK(answering == to_string(both.cpp.method(metric_from_string(metric), k, queries)));
        CHECK(std::string(report_of(found).method) == answering);
      }
    }
}

TEST_CASE("what an index is, and where its time went") {
  Both both;
  AnswerHandle found;
  CHECK_OK(proxel_index_search(both.c, of(both.c_queries), k, nullptr, &found));
  CHECK(same(found, both.cpp.search(both.asked.view(), k, Metric::l2sq)));
  proxel_index_info info = PROXEL_INDEX_INFO_INIT;
  CHECK_OK(proxel_index_get_info(both.c, &info));
  CHECK(std::string(info.kind) == "vectors");
  CHECK(info.size == rows);
  CHECK(info.removed == 0);
  CHECK(info.dimensions == dimensions);
  CHECK(info.block_rows == 0);
  CHECK(std::string(info.method) == "auto");
  CHECK(info.build_milliseconds > 0);
  CHECK(plausible(report_of(found)));
  CHECK(report_of(found).pass_count == 0);
  proxel_answer_view view = PROXEL_ANSWER_VIEW_INIT;
  CHECK_OK(proxel_answer_get(found, &view));
  CHECK(std::string(view.metric) == "l2sq");
  CHECK(view.ordered == 1);

  int fits = -1;
  CHECK_OK(proxel_index_fits(both.device, rows, dimensions, nullptr, &fits));
  CHECK(fits == 1);
  proxel_index_options options = PROXEL_INDEX_OPTIONS_INIT;
  options.memory_limit = 1000;
  CHECK_OK(proxel_index_fits(both.device, rows, dimensions, &options, &fits));
  CHECK(fits == 0);
}

TEST_CASE("times of passes and counts of rungs") {
  const DeviceHandle device = open("cpu");
  const Matrix<float> database = random_matrix(3000, 16, 1);
  const proxel_matrix view = c_matrix(database);
  proxel_index_options options = PROXEL_INDEX_OPTIONS_INIT;
  options.method = "garcia-gemm";
  options.timing = "passes";
  IndexHandle index;
  CHECK_OK(proxel_index_create(device, of(view), &options, &index));
  AnswerHandle found;
  CHECK_OK(proxel_index_search(index, of(view), k, by("l2"), &found));
  const auto own = open_device("cpu");
  Index cpp(*own, database.view(), {.method = Method::garcia_gemm, .timing = Timing::passes});
  const Neighbors expected = cpp.search(database.view(), k, Metric::l2);
  CHECK(same(found, expected));
  const proxel_report report = report_of(found);
  REQUIRE(report.pass_count == expected.report.times.passes.size());
  for (std::uint64_t i = 0; i < report.pass_count; ++i) {
    CHECK(report.passes[i].name == expected.report.times.passes[i].name);
    CHECK(report.passes[i].label == expected.report.times.passes[i].label);
  }
  REQUIRE(report.rung_count == expected.report.rungs.size());
  REQUIRE(report.rung_count != 0);
  for (std::uint64_t i = 0; i < report.rung_count; ++i) {
    CHECK(report.rungs[i].name == expected.report.rungs[i].rung);
    CHECK(report.rungs[i].queries == expected.report.rungs[i].queries);
  }
}

TEST_CASE("rows and queries at strides") {
  const Matrix<float> memory = random_matrix(rows, dimensions * 3, 3);
  proxel_matrix strided = c_matrix(memory);
  strided.columns = dimensions;
  strided.row_stride = dimensions * 3;
  strided.column_stride = 3;
  const MatrixView<float> view(memory.data(), rows, dimensions, dimensions * 3, 3);
  const DeviceHandle device = open("cpu");
  IndexHandle index;
  CHECK_OK(proxel_index_create(device, of(strided), nullptr, &index));
  const auto own = open_device("cpu");
  Index cpp(*own, view);
  strided.row_stride = PROXEL_CONTIGUOUS;  // follows from the others
  AnswerHandle found;
  CHECK_OK(proxel_index_search(index, of(strided), k, by("l1"), &found));
  CHECK(same(found, cpp.search(view, k, Metric::l1)));
}

TEST_CASE("filters, pages and progress") {
  Both both;
  const std::uint64_t words = filter_words(rows);
  Matrix<std::uint32_t> filters(queries, words + 2);
  for (std::uint64_t i = 0; i < queries * (words + 2); ++i)
    filters.data()[i] = static_cast<std::uint32_t>(i * 2654435761u);
  Counter counter;
  proxel_search_options options = PROXEL_SEARCH_OPTIONS_INIT;
  options.progress = Counter::call;
  options.progress_user = &counter;
  options.filter = filters.data();
  options.filter_words = words;
  options.filter_stride = words + 2;
  options.metric = "linf";
  const auto search = [&](AnswerHandle& found) {
    return proxel_index_search(both.c, of(both.c_queries), k, &options, &found);
  };
  SearchOptions with;
  Neighbors page;
  AnswerHandle found;
  for (const std::uint64_t given : {std::uint64_t{1}, queries}) {
    options.filter_rows = given;
    with.filter = {filters.data(), given, words, words + 2, 1};
    CHECK_OK(search(found));
    page = both.cpp.search(both.asked.view(), k, Metric::linf, with);
    CHECK(same(found, page));
  }
  CHECK(counter.calls == 2);

  options.after = found;
  with.after = &page;
  AnswerHandle next;
  CHECK_OK(search(next));
  CHECK(same(next, both.cpp.search(both.asked.view(), k, Metric::linf, with)));

  AnswerHandle none, of_others;
  proxel_answer_view view = PROXEL_ANSWER_VIEW_INIT;
  CHECK_OK(proxel_answer_get(found, &view));
  view.queries = 3;
  CHECK_OK(proxel_answer_create(&view, &of_others));
  options.after = of_others;
  CHECK_FAILS(search(none), PROXEL_INVALID_ARGUMENT, "after");
  options.metric = "l1";
  options.after = found;
  CHECK_FAILS(search(none), PROXEL_INVALID_ARGUMENT, "after");
  CHECK(std::string(proxel_last_error()) == "after: was searched by linf, this search is by l1");
  options.metric = "linf";
  options.after = nullptr;
  options.filter_words = words - 1;
  CHECK_FAILS(search(none), PROXEL_INVALID_ARGUMENT, "filter");
  options.filter_words = words;
  options.filter_stride = 0;
  CHECK_FAILS(search(none), PROXEL_INVALID_ARGUMENT, "filter");
  CHECK(std::string(proxel_last_error()).find("PROXEL_CONTIGUOUS") != std::string::npos);
  options.filter = nullptr;
  options.raw = 1;
  CHECK_FAILS(search(none), PROXEL_UNSUPPORTED, "raw");
  options.raw = 2;
  CHECK_FAILS(search(none), PROXEL_INVALID_ARGUMENT, "raw");
  options.raw = 0;
  counter.end_at = counter.calls + 1;
  CHECK_FAILS(search(none), PROXEL_CANCELLED, "progress");
  CHECK(none == nullptr);
  CHECK_OK(search(none));  // and the index is as good as before
}

TEST_CASE("the arithmetic of a method, uncorrected") {
  Both both("cpu", "garcia-gemm");
  proxel_search_options options = PROXEL_SEARCH_OPTIONS_INIT;
  options.raw = 1;
  options.metric = "l2";
  AnswerHandle found;
  CHECK_OK(proxel_index_search(both.c, of(both.c_queries), k, &options, &found));
  CHECK(same(found, both.cpp.search(both.asked.view(), k, Metric::l2, {.raw = true})));
}

TEST_CASE("rows of the index as queries, the graph of all of them, and rows within a radius") {
  for (const std::string& id : device_ids()) {
    CAPTURE(id);
    Both both(id);
    AnswerHandle some, graph, matches;
    proxel_own_rows own = PROXEL_OWN_ROWS_INIT;
    own.first = 100;
    own.count = 20;
    CHECK_OK(proxel_index_search(both.c, of(own), k, by("l1"), &some));
    CHECK(same(some, both.cpp.search_rows(100, 20, k, Metric::l1)));
    proxel_graph_options options = PROXEL_GRAPH_OPTIONS_INIT;
    options.metric = "cosine";
    CHECK_OK(proxel_index_knn_graph(both.c, k, &options, &graph));
    CHECK(same(graph, knn_graph(both.cpp, k, Metric::cosine)));
    std::vector<std::uint32_t> self(rows);
    std::iota(self.begin(), self.end(), 0u);
    proxel_search_options without = PROXEL_SEARCH_OPTIONS_INIT;
    without.metric = "cosine";
    without.self = self.data();
    without.self_count = rows;
    own.first = 0;
    own.count = rows;
    AnswerHandle others;
    CHECK_OK(proxel_index_search(both.c, of(own), k, &without, &others));
    CHECK(same(others, knn_graph(both.cpp, k, Metric::cosine)));
    without.self_count = rows - 1;
    AnswerHandle none;
    CHECK_FAILS(proxel_index_search(both.c, of(own), k, &without, &none), PROXEL_INVALID_ARGUMENT, "self");
    CHECK_OK(proxel_index_range_search(both.c, of(both.c_queries), 1.25f, by("l2"), &matches));
    const RangeNeighbors expected = both.cpp.range_search(both.asked.view(), 1.25f, Metric::l2);
    CHECK(expected.indices.size() > queries);
    CHECK(same(matches, expected));
    // Answers are of nobody.
    both.c.reset();
    both.device.reset();
    CHECK(same(matches, expected));
  }
}

TEST_CASE("the components of a graph") {
  for (const std::string& id : device_ids()) {
    CAPTURE(id);
    Both both(id);
    proxel_graph_options graph_options = PROXEL_GRAPH_OPTIONS_INIT;
    graph_options.metric = "l2";
    AnswerHandle graph, matches;
    CHECK_OK(proxel_index_knn_graph(both.c, k, &graph_options, &graph));
    const Neighbors nearest = knn_graph(both.cpp, k, Metric::l2);
    std::vector<std::uint32_t> components(rows);
    std::uint64_t count = 0;
    CHECK_OK(proxel_graph_components(both.device, graph, nullptr, components.data(), rows, &count));
    const Components all = connected_components(*both.own, nearest);
    CHECK(components == all.of_rows);
    CHECK(count == all.count);
    proxel_components_options options = PROXEL_COMPONENTS_OPTIONS_INIT;
    options.limited = options.mutual = 1;
    options.limit = nearest.distances(0, k / 2);
    CHECK_OK(proxel_graph_components(both.device, graph, &options, components.data(), rows, nullptr));
    const Components some = connected_components(*both.own, nearest, {nearest.distances(0, k / 2), Metric::l2, true});
    CHECK(components == some.of_rows);
    CHECK(some.count > all.count);

    const auto refused = [&](proxel_device* device, const proxel_answer* of, std::uint32_t* to, std::uint64_t room) {
      return proxel_graph_components(device, of, &options, to, room, &count);
    };
    CHECK_FAILS(refused(nullptr, graph, components.data(), rows), PROXEL_INVALID_ARGUMENT, "device");
    CHECK_FAILS(refused(both.device, nullptr, components.data(), rows), PROXEL_INVALID_ARGUMENT, "graph");
    CHECK_FAILS(refused(both.device, graph, nullptr, rows), PROXEL_INVALID_ARGUMENT, "components");
    CHECK_FAILS(refused(both.device, graph, components.data(), rows - 1), PROXEL_INVALID_ARGUMENT, "rows");
    CHECK_OK(proxel_index_range_search(both.c, of(both.c_queries), 1.25f, by("l2"), &matches));
    CHECK_FAILS(refused(both.device, matches, components.data(), rows), PROXEL_INVALID_ARGUMENT, "graph");
    options.mutual = 3;
    CHECK_FAILS(refused(both.device, graph, components.data(), rows), PROXEL_INVALID_ARGUMENT, "mutual");
  }
}

TEST_CASE("graphs with rows among their own neighbours, of rows that are given, and as files") {
  Both both("cpu", "texel");
  proxel_graph_options options = PROXEL_GRAPH_OPTIONS_INIT;
  options.include_self = 1;
  options.metric = "l1";
  AnswerHandle graph, none;
  CHECK(proxel_index_knn_graph(both.c, k, &options, &none) == PROXEL_UNSUPPORTED);
  options.rows = &both.c_rows;
  CHECK_OK(proxel_index_knn_graph(both.c, k, &options, &graph));
  const Neighbors expected = knn_graph(both.cpp, k, Metric::l1, {.exclude_self = false, .rows = both.database.view()});
  CHECK(same(graph, expected));
  CHECK(expected.indices(0, 0) == 0);
  options.include_self = 5;
  CHECK_FAILS(proxel_index_knn_graph(both.c, k, &options, &none), PROXEL_INVALID_ARGUMENT, "include_self");
  CHECK_FAILS(proxel_index_knn_graph(both.c, k, nullptr, nullptr), PROXEL_INVALID_ARGUMENT, "answer");
  CHECK(none == nullptr);

  const std::string path = (std::filesystem::temp_directory_path() / "proxel_c_graph.npz").string();
  const proxel_status written = proxel_write_graph_npz(path.c_str(), graph, rows);
  CHECK(written == (npz_support() ? PROXEL_OK : PROXEL_UNSUPPORTED));
  if (written == PROXEL_OK) CHECK(std::filesystem::file_size(path) > rows * k * 4);
  std::remove(path.c_str());
  CHECK_FAILS(proxel_write_graph_npz(nullptr, graph, rows), PROXEL_INVALID_ARGUMENT, "path");
  CHECK_FAILS(proxel_write_graph_npz(path.c_str(), nullptr, rows), PROXEL_INVALID_ARGUMENT, "graph");
  AnswerHandle within;
  Both scanned;
  CHECK_OK(proxel_index_range_search(scanned.c, of(scanned.c_queries), 1, by("l1"), &within));
  CHECK_FAILS(proxel_write_graph_npz(path.c_str(), within, rows), PROXEL_INVALID_ARGUMENT, "graph");
}

TEST_CASE("what cannot be searched is refused, and nothing is written") {
  Both both;
  AnswerHandle found;
  const auto search = [&](const proxel_matrix& asked, std::uint64_t neighbours, const char* metric) {
    return proxel_index_search(both.c, of(asked), neighbours, by(metric), &found);
  };
  CHECK_FAILS(search(both.c_queries, 0, "l1"), PROXEL_INVALID_ARGUMENT, "k");
  CHECK_FAILS(search(both.c_queries, std::uint64_t{1} << 40, "l1"), PROXEL_INVALID_ARGUMENT, "k");
  CHECK_FAILS(search(both.c_queries, k, "euclid"), PROXEL_INVALID_ARGUMENT, "metric");
  CHECK_FAILS(proxel_index_search(both.c, nullptr, k, nullptr, &found), PROXEL_INVALID_ARGUMENT, "queries");
  proxel_matrix bad = both.c_queries;
  bad.columns = dimensions - 1;
  CHECK_FAILS(search(bad, k, "l1"), PROXEL_INVALID_ARGUMENT, "queries");
  bad = both.c_queries;
  bad.data = nullptr;
  CHECK_FAILS(search(bad, k, "l1"), PROXEL_INVALID_ARGUMENT, "queries");
  bad.data = reinterpret_cast<const float*>(reinterpret_cast<const char*>(both.asked.data()) + 1);
  CHECK_FAILS(search(bad, k, "l1"), PROXEL_INVALID_ARGUMENT, "queries");
  bad = both.c_queries;
  bad.row_stride = UINT64_MAX / 2;
  CHECK_FAILS(search(bad, k, "l1"), PROXEL_INVALID_ARGUMENT, "queries");
  const auto check_strides = [&](std::uint64_t row_stride, std::uint64_t column_stride, const char* why) {
    bad = both.c_queries;
    bad.row_stride = row_stride;
    bad.column_stride = column_stride;
    CHECK_FAILS(search(bad, k, "l1"), PROXEL_INVALID_ARGUMENT, "queries");
    CHECK(std::string(proxel_last_error()).find(why) != std::string::npos);
  };
  // As numpy has them where rows, columns or both are repeated, or run backwards.
  check_strides(0, 1, "row_stride of 0 was given for 9 of them; PROXEL_CONTIGUOUS says");
  check_strides(0, 0, "column_stride of 0 was given for 6");
  check_strides(dimensions, 0, "column_stride of 0 was given for 6");
  check_strides(static_cast<std::uint64_t>(-6), 1, "row_stride of -6 was given; strides are not negative");
  check_strides(PROXEL_CONTIGUOUS, UINT64_MAX, "column_stride of -1 was given");
  check_strides(dimensions - 1, 1, "row_stride of 5 is less than a row, which takes 6 elements");
  CHECK(found == nullptr);
  // A single row has no next one to stride to, and columns may lie apart.
  AnswerHandle answered;
  for (const std::uint64_t given : {std::uint64_t{1}, dimensions}) {
    bad = both.c_queries;
    bad.rows = given;
    bad.row_stride = given == 1 ? 0 : 1;
    bad.column_stride = given == 1 ? 1 : dimensions;
    CHECK_OK(proxel_index_search(both.c, of(bad), k, by("l1"), &answered));
  }
  CHECK_FAILS(proxel_index_search(nullptr, of(both.c_queries), k, nullptr, &found), PROXEL_INVALID_ARGUMENT, "index");
  CHECK_FAILS(proxel_index_search(both.c, of(both.c_queries), k, nullptr, nullptr), PROXEL_INVALID_ARGUMENT, "answer");
  proxel_own_rows own = PROXEL_OWN_ROWS_INIT;
  own.first = 499;
  own.count = 2;
  CHECK_FAILS(proxel_index_search(both.c, of(own), k, nullptr, &found), PROXEL_INVALID_ARGUMENT, "rows");
  CHECK(found == nullptr);
  own.count = 1;
  CHECK_OK(proxel_index_search(both.c, of(own), k, nullptr, &found));

  AnswerHandle matches;
  CHECK_FAILS(proxel_index_range_search(both.c, of(both.c_queries), NAN, by("l1"), &matches), PROXEL_INVALID_ARGUMENT,
              "radius");
  CHECK_FAILS(proxel_index_range_search(both.c, of(both.c_queries), 1, nullptr, nullptr), PROXEL_INVALID_ARGUMENT,
              "answer");
  CHECK_FAILS(proxel_index_range_search(both.c, of(own), 1, nullptr, &matches), PROXEL_INVALID_ARGUMENT, "queries");
  proxel_search_options options = PROXEL_SEARCH_OPTIONS_INIT;
  options.after = answered;
  CHECK_FAILS(proxel_index_range_search(both.c, of(both.c_queries), 1, &options, &matches), PROXEL_UNSUPPORTED,
              "after");
  options.after = nullptr;
  options.ordered = 1;
  CHECK_FAILS(proxel_index_range_search(both.c, of(both.c_queries), 1, &options, &matches), PROXEL_UNSUPPORTED,
              "ordered");
  CHECK(matches == nullptr);
  CHECK_FAILS(proxel_index_get_info(both.c, nullptr), PROXEL_INVALID_ARGUMENT, "info");
  CHECK_FAILS(proxel_index_supports(both.c, 0, by("l1")), PROXEL_UNSUPPORTED, "index");
  CHECK_FAILS(proxel_index_method_for(both.c, 1, k, by("l1"), nullptr), PROXEL_INVALID_ARGUMENT, "method");
  CHECK_FAILS(proxel_index_fits(both.device, 1, 1, nullptr, nullptr), PROXEL_INVALID_ARGUMENT, "fits");
}
