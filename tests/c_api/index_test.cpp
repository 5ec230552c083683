// An index of vectors: whatever C asks is answered as C++ answers it, to the bit.
#include <cmath>
#include <cstdio>
#include <filesystem>

#include "index_data.hpp"
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
        Found found(queries, k);
        const proxel_status status = proxel_index_search(both.c, &both.c_queries, k, metric, nullptr,
                                                         found.indices.data(), found.distances.data(), found.slots);
        CHECK(proxel_index_supports(both.c, metric, k) == status);
        if (status != PROXEL_OK) {
          const Support support = both.cpp.supports(metric_from_string(metric), k);
          CHECK(status == PROXEL_UNSUPPORTED);
          CHECK_FALSE(support);
          CHECK(found.untouched());
          continue;
        }
        CHECK(found == both.cpp.search(both.asked.view(), k, metric_from_string(metric)));
        const char* answering = nullptr;
        CHECK_OK(proxel_index_method_for(both.c, metric, k, queries, &answering));
        CHECK(answering == to_string(both.cpp.method(metric_from_string(metric), k, queries)));
      }
    }
}

TEST_CASE("what an index is, and where its time went") {
  Both both;
  Found found(queries, k);
  CHECK_OK(proxel_index_search(both.c, &both.c_queries, k, nullptr, nullptr, found.indices.data(),
                               found.distances.data(), found.slots));
  const Neighbors expected = both.cpp.search(both.asked.view(), k, Metric::l2sq);
  CHECK(found == expected);
  proxel_index_info info = PROXEL_INDEX_INFO_INIT;
  CHECK_OK(proxel_index_get_info(both.c, &info));
  CHECK(info.rows == rows);
  CHECK(info.removed_rows == 0);
  CHECK(info.dimensions == dimensions);
  CHECK(info.block_rows == 0);
  CHECK(info.method == expected.report.method);
  CHECK(info.build_milliseconds > 0);
  proxel_times times = PROXEL_TIMES_INIT;
  CHECK_OK(proxel_index_get_times(both.c, &times));
  CHECK(plausible(times));
  CHECK(times.pass_count == 0);

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
  CHECK_OK(proxel_index_create(device, &view, &options, &index));
  Found found(3000, k);
  CHECK_OK(
      proxel_index_search(index, &view, k, "l2", nullptr, found.indices.data(), found.distances.data(), found.slots));
  const auto own = open_device("cpu");
  Index cpp(*own, database.view(), {.method = Method::garcia_gemm, .timing = Timing::passes});
  const Neighbors expected = cpp.search(database.view(), k, Metric::l2);
  CHECK(found == expected);
  const SearchReport& report = expected.report;
  proxel_times times = PROXEL_TIMES_INIT;
  CHECK_OK(proxel_index_get_times(index, &times));
  REQUIRE(times.pass_count == report.times.passes.size());
  for (std::uint64_t i = 0; i < times.pass_count; ++i) {
    CHECK(times.passes[i].name == report.times.passes[i].name);
    CHECK(times.passes[i].label == report.times.passes[i].label);
  }
  REQUIRE(times.rung_count == report.rungs.size());
  REQUIRE(times.rung_count != 0);
  for (std::uint64_t i = 0; i < times.rung_count; ++i) {
    CHECK(times.rungs[i].name == report.rungs[i].rung);
    CHECK(times.rungs[i].queries == report.rungs[i].queries);
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
  CHECK_OK(proxel_index_create(device, &strided, nullptr, &index));
  const auto own = open_device("cpu");
  Index cpp(*own, view);
  strided.row_stride = PROXEL_CONTIGUOUS;  // follows from the others
  Found found(rows, k);
  CHECK_OK(proxel_index_search(index, &strided, k, "l1", nullptr, found.indices.data(), found.distances.data(),
                               found.slots));
  CHECK(found == cpp.search(view, k, Metric::l1));
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
  const auto search = [&](Found& found) {
    return proxel_index_search(both.c, &both.c_queries, k, "linf", &options, found.indices.data(),
                               found.distances.data(), found.slots);
  };
  SearchOptions with;
  Neighbors page;
  for (const std::uint64_t given : {std::uint64_t{1}, queries}) {
    options.filter_rows = given;
    with.filter = {filters.data(), given, words, words + 2, 1};
    Found found(queries, k);
    CHECK_OK(search(found));
    page = both.cpp.search(both.asked.view(), k, Metric::linf, with);
    CHECK(found == page);
  }
  CHECK(counter.calls == 2);

  options.after_indices = page.indices.data();
  options.after_distances = page.distances.data();
  options.after_queries = queries;
  options.after_columns = k;
  with.after = &page;
  Found next(queries, k);
  CHECK_OK(search(next));
  CHECK(next == both.cpp.search(both.asked.view(), k, Metric::linf, with));

  Found found(queries, k);
  options.after_columns = 0;
  CHECK_FAILS(search(found), PROXEL_INVALID_ARGUMENT, "after");
  options.after_columns = UINT64_MAX;
  CHECK_FAILS(search(found), PROXEL_INVALID_ARGUMENT, "after");
  options.after_columns = k;
  options.after_queries = 3;
  CHECK_FAILS(search(found), PROXEL_INVALID_ARGUMENT, "after");
  options.after_distances = nullptr;
  CHECK_FAILS(search(found), PROXEL_INVALID_ARGUMENT, "after_distances");
  options.after_indices = nullptr;
  options.filter_words = words - 1;
  CHECK_FAILS(search(found), PROXEL_INVALID_ARGUMENT, "filter");
  options.filter_words = words;
  options.filter_stride = 0;
  CHECK_FAILS(search(found), PROXEL_INVALID_ARGUMENT, "filter");
  CHECK(std::string(proxel_last_error()).find("PROXEL_CONTIGUOUS") != std::string::npos);
  options.filter = nullptr;
  options.raw = 1;
  CHECK_FAILS(search(found), PROXEL_UNSUPPORTED, "raw");
  options.raw = 2;
  CHECK_FAILS(search(found), PROXEL_INVALID_ARGUMENT, "raw");
  options.raw = 0;
  counter.end_at = counter.calls + 1;
  CHECK_FAILS(search(found), PROXEL_CANCELLED, "progress");
  CHECK(found.untouched());
  CHECK_OK(search(found));  // and the index is as good as before
}

TEST_CASE("the arithmetic of a method, uncorrected") {
  Both both("cpu", "garcia-gemm");
  proxel_search_options options = PROXEL_SEARCH_OPTIONS_INIT;
  options.raw = 1;
  Found found(queries, k);
  CHECK_OK(proxel_index_search(both.c, &both.c_queries, k, "l2", &options, found.indices.data(), found.distances.data(),
                               found.slots));
  CHECK(found == both.cpp.search(both.asked.view(), k, Metric::l2, {.raw = true}));
}

TEST_CASE("rows of the index as queries, the graph of all of them, and rows within a radius") {
  for (const std::string& id : device_ids()) {
    CAPTURE(id);
    Both both(id);
    Found some(20, k), graph(rows, k);
    CHECK_OK(proxel_index_search_rows(both.c, 100, 20, k, "l1", nullptr, some.indices.data(), some.distances.data(),
                                      some.slots));
    CHECK(some == both.cpp.search_rows(100, 20, k, Metric::l1));
    CHECK_OK(proxel_index_knn_graph(both.c, k, "cosine", nullptr, graph.indices.data(), graph.distances.data(),
                                    graph.slots));
    CHECK(graph == knn_graph(both.cpp, k, Metric::cosine));
    MatchesHandle matches;
    CHECK_OK(proxel_index_range_search(both.c, &both.c_queries, 1.25f, "l2", nullptr, &matches));
    const RangeNeighbors expected = both.cpp.range_search(both.asked.view(), 1.25f, Metric::l2);
    CHECK(expected.indices.size() > queries);
    CHECK(same(matches, expected));
    // Matches are of nobody.
    both.c.reset();
    both.device.reset();
    CHECK(same(matches, expected));
  }
}

TEST_CASE("graphs with rows among their own neighbours, of rows that are given, and as files") {
  Both both("cpu", "texel");
  proxel_graph_options options = PROXEL_GRAPH_OPTIONS_INIT;
  options.include_self = 1;
  Found graph(rows, k);
  CHECK(proxel_index_knn_graph(both.c, k, "l1", &options, graph.indices.data(), graph.distances.data(), graph.slots) ==
        PROXEL_UNSUPPORTED);
  options.rows = &both.c_rows;
  CHECK_OK(
      proxel_index_knn_graph(both.c, k, "l1", &options, graph.indices.data(), graph.distances.data(), graph.slots));
  CHECK(graph == knn_graph(both.cpp, k, Metric::l1, {.exclude_self = false, .rows = both.database.view()}));
  CHECK(graph.indices[0] == 0);
  options.include_self = 5;
  CHECK_FAILS(
      proxel_index_knn_graph(both.c, k, "l1", &options, graph.indices.data(), graph.distances.data(), graph.slots),
      PROXEL_INVALID_ARGUMENT, "include_self");
  CHECK_FAILS(
      proxel_index_knn_graph(both.c, k, "l1", nullptr, graph.indices.data(), graph.distances.data(), graph.slots - 1),
      PROXEL_INVALID_ARGUMENT, "slots");

  const std::string path = (std::filesystem::temp_directory_path() / "proxel_c_graph.npz").string();
  const proxel_status written =
      proxel_write_graph_npz(path.c_str(), graph.indices.data(), graph.distances.data(), rows, k, rows);
  CHECK(written == (npz_support() ? PROXEL_OK : PROXEL_UNSUPPORTED));
  if (written == PROXEL_OK) CHECK(std::filesystem::file_size(path) > rows * k * 4);
  std::remove(path.c_str());
  CHECK_FAILS(proxel_write_graph_npz(nullptr, graph.indices.data(), graph.distances.data(), rows, k, rows),
              PROXEL_INVALID_ARGUMENT, "path");
  CHECK_FAILS(proxel_write_graph_npz(path.c_str(), nullptr, graph.distances.data(), rows, k, rows),
              PROXEL_INVALID_ARGUMENT, "indices");
}

TEST_CASE("what cannot be searched is refused, and nothing is written") {
  Both both;
  Found found(queries, k);
  const auto search = [&](const proxel_matrix* asked, std::uint64_t neighbours, const char* metric,
                          std::uint64_t slots) {
    return proxel_index_search(both.c, asked, neighbours, metric, nullptr, found.indices.data(), found.distances.data(),
                               slots);
  };
  CHECK_FAILS(search(&both.c_queries, 0, "l1", found.slots), PROXEL_INVALID_ARGUMENT, "k");
  CHECK_FAILS(search(&both.c_queries, std::uint64_t{1} << 40, "l1", found.slots), PROXEL_INVALID_ARGUMENT, "k");
  CHECK_FAILS(search(&both.c_queries, k, "euclid", found.slots), PROXEL_INVALID_ARGUMENT, "metric");
  CHECK_FAILS(search(&both.c_queries, k, "l1", found.slots - 1), PROXEL_INVALID_ARGUMENT, "slots");
  CHECK_FAILS(search(&both.c_queries, 0xFFFFFFFF, "l1", found.slots), PROXEL_INVALID_ARGUMENT, "slots");
  CHECK_FAILS(search(nullptr, k, "l1", found.slots), PROXEL_INVALID_ARGUMENT, "queries");
  proxel_matrix bad = both.c_queries;
  bad.columns = dimensions - 1;
  CHECK_FAILS(search(&bad, k, "l1", found.slots), PROXEL_INVALID_ARGUMENT, "queries");
  bad = both.c_queries;
  bad.data = nullptr;
  CHECK_FAILS(search(&bad, k, "l1", found.slots), PROXEL_INVALID_ARGUMENT, "queries");
  bad.data = reinterpret_cast<const float*>(reinterpret_cast<const char*>(both.asked.data()) + 1);
  CHECK_FAILS(search(&bad, k, "l1", found.slots), PROXEL_INVALID_ARGUMENT, "queries");
  bad = both.c_queries;
  bad.row_stride = UINT64_MAX / 2;
  CHECK_FAILS(search(&bad, k, "l1", found.slots), PROXEL_INVALID_ARGUMENT, "queries");
  const auto check_strides = [&](std::uint64_t row_stride, std::uint64_t column_stride, const char* why) {
    bad = both.c_queries;
    bad.row_stride = row_stride;
    bad.column_stride = column_stride;
    CHECK_FAILS(search(&bad, k, "l1", found.slots), PROXEL_INVALID_ARGUMENT, "queries");
    CHECK(std::string(proxel_last_error()).find(why) != std::string::npos);
  };
  // As numpy has them where rows, columns or both are repeated, or run backwards.
  check_strides(0, 1, "row_stride of 0 was given for 9 of them; PROXEL_CONTIGUOUS says");
  check_strides(0, 0, "column_stride of 0 was given for 6");
  check_strides(dimensions, 0, "column_stride of 0 was given for 6");
  check_strides(static_cast<std::uint64_t>(-6), 1, "row_stride of -6 was given; strides are not negative");
  check_strides(PROXEL_CONTIGUOUS, UINT64_MAX, "column_stride of -1 was given");
  check_strides(dimensions - 1, 1, "row_stride of 5 is less than a row, which takes 6 elements");
  CHECK(found.untouched());
  // A single row has no next one to stride to, and columns may lie apart.
  Found answered(queries, k);
  for (const std::uint64_t given : {std::uint64_t{1}, dimensions}) {
    bad = both.c_queries;
    bad.rows = given;
    bad.row_stride = given == 1 ? 0 : 1;
    bad.column_stride = given == 1 ? 1 : dimensions;
    CHECK_OK(proxel_index_search(both.c, &bad, k, "l1", nullptr, answered.indices.data(), answered.distances.data(),
                                 answered.slots));
  }
  CHECK_FAILS(proxel_index_search(nullptr, &both.c_queries, k, "l1", nullptr, found.indices.data(),
                                  found.distances.data(), found.slots),
              PROXEL_INVALID_ARGUMENT, "index");
  CHECK_FAILS(
      proxel_index_search(both.c, &both.c_queries, k, "l1", nullptr, nullptr, found.distances.data(), found.slots),
      PROXEL_INVALID_ARGUMENT, "indices");
  CHECK_FAILS(
      proxel_index_search(both.c, &both.c_queries, k, "l1", nullptr, found.indices.data(), nullptr, found.slots),
      PROXEL_INVALID_ARGUMENT, "distances");
  CHECK_FAILS(proxel_index_search_rows(both.c, 499, 2, k, "l1", nullptr, found.indices.data(), found.distances.data(),
                                       found.slots),
              PROXEL_INVALID_ARGUMENT, "rows");
  CHECK(found.untouched());

  // No queries, no results.
  proxel_matrix none = PROXEL_MATRIX_INIT;
  none.columns = dimensions;
  CHECK_OK(proxel_index_search(both.c, &none, k, "l1", nullptr, nullptr, nullptr, 0));

  MatchesHandle matches;
  CHECK_FAILS(proxel_index_range_search(both.c, &both.c_queries, NAN, "l1", nullptr, &matches), PROXEL_INVALID_ARGUMENT,
              "radius");
  CHECK_FAILS(proxel_index_range_search(both.c, &both.c_queries, 1, "l1", nullptr, nullptr), PROXEL_INVALID_ARGUMENT,
              "matches");
  CHECK(matches == nullptr);
  proxel_matches_view view = PROXEL_MATCHES_VIEW_INIT;
  CHECK_FAILS(proxel_matches_get(nullptr, &view), PROXEL_INVALID_ARGUMENT, "matches");
  proxel_times times = PROXEL_TIMES_INIT;
  CHECK_FAILS(proxel_index_get_times(nullptr, &times), PROXEL_INVALID_ARGUMENT, "index");
  CHECK_FAILS(proxel_index_get_times(both.c, nullptr), PROXEL_INVALID_ARGUMENT, "times");
  CHECK_FAILS(proxel_index_get_info(both.c, nullptr), PROXEL_INVALID_ARGUMENT, "info");
  CHECK_FAILS(proxel_index_supports(both.c, "l1", 0), PROXEL_UNSUPPORTED, "index");
  CHECK_FAILS(proxel_index_method_for(both.c, "l1", k, 1, nullptr), PROXEL_INVALID_ARGUMENT, "method");
  CHECK_FAILS(proxel_index_fits(both.device, 1, 1, nullptr, nullptr), PROXEL_INVALID_ARGUMENT, "fits");
}
