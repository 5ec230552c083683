// Answers: read, copied, made of the caller's arrays, and merged of searches of parts.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <thread>

#include "index_data.hpp"
#include "recorded.hpp"
#include "signature_data.hpp"

using namespace proxel;
using namespace proxel::c_test;

namespace {

// Whole numbers of which many lie equally far, and two that are none.
Matrix<float> crowded(std::uint64_t count, std::uint32_t seed) {
  Matrix<float> matrix = random_matrix(count, 3, seed);
  for (std::uint64_t i = 0; i < count * 3; ++i) matrix.data()[i] = std::round(matrix.data()[i] * 3);
  if (count > 40) matrix(17, 0) = matrix(40, 2) = std::numeric_limits<float>::quiet_NaN();
  return matrix;
}

proxel_answer_view view_of(const proxel_answer* answer) {
  proxel_answer_view view = PROXEL_ANSWER_VIEW_INIT;
  CHECK_OK(proxel_answer_get(answer, &view));
  return view;
}

bool same_answers(const proxel_answer* one, const proxel_answer* other) {
  const proxel_answer_view a = view_of(one), b = view_of(other);
  const std::uint64_t bytes = a.queries * a.columns * 4;
  return a.queries == b.queries && a.columns == b.columns && std::memcmp(a.indices, b.indices, bytes) == 0 &&
         std::memcmp(a.distances, b.distances, bytes) == 0;
}

AnswerHandle merged(const std::vector<proxel_part>& parts, std::uint64_t k) {
  AnswerHandle answer;
  CHECK_OK(proxel_merge(parts.data(), parts.size(), k, &answer));
  return answer;
}

// Merges searches of parts that begin at these objects in several trees, and compares each with the whole.
// @param search  objects first … last - 1, for k
void check_trees(std::uint64_t count, std::uint64_t k, const proxel_answer* whole,
                 const std::function<AnswerHandle(std::uint64_t, std::uint64_t)>& search) {
  const std::vector<std::uint64_t> begins{0, 1, 2, count / 3, count / 2, count};
  std::vector<AnswerHandle> found;
  std::vector<proxel_part> parts;
  for (std::size_t i = 0; i + 1 < begins.size(); ++i) {
    found.push_back(search(begins[i], begins[i + 1]));
    CHECK(view_of(found.back()).ordered == 1);
    parts.push_back({found.back(), begins[i]});
  }
  const auto check = [&](const proxel_answer* ordered) {
    AnswerHandle finished;
    CHECK_OK(proxel_finish(ordered, &finished));
    CHECK(same_answers(finished, whole));
  };
  check(merged(parts, k));
  std::reverse(parts.begin(), parts.end());
  check(merged(parts, k));
  AnswerHandle chain = merged({parts[0]}, k);
  for (std::size_t i = 1; i < parts.size(); ++i) chain = merged({{chain, 0}, parts[i]}, k);
  check(chain);
  const AnswerHandle left = merged({parts[0], parts[3]}, k), right = merged({parts[1], parts[4], parts[2]}, k);
  check(merged({{right, 0}, {left, 0}}, k));
}

Given<proxel_search_options> ordered_by(const char* metric) {
  auto options = by(metric);
  options.ordered = 1;
  return options;
}

}  // namespace

TEST_CASE("searches of parts of the rows, merged in any tree, have the bits of one search") {
  const Matrix<float> database = crowded(260, 1), asked = crowded(7, 2);
  const proxel_matrix all = c_matrix(database), queries = c_matrix(asked);
  for (const std::string& id : device_ids()) {
    CAPTURE(id);
    const DeviceHandle device = open(id);
    std::map<std::pair<std::uint64_t, std::uint64_t>, IndexHandle> made;
    for (std::uint64_t i = 0; proxel_metric_name(i); ++i)
      for (const std::uint64_t k : {1, 9, 259, 260, 261}) {
        CAPTURE(k);
        const char* const metric = proxel_metric_name(i);
        CAPTURE(metric);
        const auto search = [&](std::uint64_t first, std::uint64_t last, const proxel_search_options* options) {
          IndexHandle& index = made[{first, last}];
          proxel_matrix rows = all;
          rows.data += first * 3;
          rows.rows = last - first;
          if (!index) CHECK_OK(proxel_index_create(device, of(rows), nullptr, &index));
          AnswerHandle found;
          CHECK_OK(proxel_index_search(index, of(queries), k, options, &found));
          return found;
        };
        check_trees(260, k, search(0, 260, by(metric)),
                    [&](std::uint64_t first, std::uint64_t last) { return search(first, last, ordered_by(metric)); });
      }
  }
}

TEST_CASE("searches of parts of strings and of signatures are merged by the same function") {
  const DeviceHandle device = open("cpu");
  constexpr std::uint64_t count = 120, k = 25;
  const Words words(random_words(count, 1)), wanted(random_words(6, 2));
  const proxel_strings c_words = words.c(), c_wanted = wanted.c();
  const auto search_words = [&](std::uint64_t first, std::uint64_t last) {
    proxel_strings part = c_words;
    part.texts += first;
    part.lengths += first;
    part.count = last - first;
    IndexHandle index;
    AnswerHandle found;
    CHECK_OK(proxel_string_index_create(device, of(part), nullptr, &index));
    CHECK_OK(proxel_index_search(index, of(c_wanted), k, ordered_by(nullptr), &found));
    return found;
  };
  check_trees(count, k, search_words(0, count), search_words);
  CHECK(view_of(search_words(0, 2)).metric == nullptr);

  // Each signature twice, so that many lie equally far.
  Signatures known(signature_dimensions);
  for (int twice = 0; twice < 2; ++twice) {
    const Signatures half = random_signatures(count / 2, 1);
    for (std::uint64_t i = 0; i < half.size(); ++i) {
      const std::uint64_t at = half.offsets()[i], length = half.offsets()[i + 1] - at;
      known.add({half.centroids().data() + at * signature_dimensions, length * signature_dimensions},
                {half.weights().data() + at, length});
    }
  }
  const Signatures asked = random_signatures(6, 2);
  const proxel_signatures c_known = c_signatures(known), c_asked = c_signatures(asked);
  for (const bool krulis : {false, true}) {
    CAPTURE(krulis);
    const auto search = [&](std::uint64_t first, std::uint64_t last) {
      proxel_signatures part = c_known;
      part.offsets += first;
      part.count = last - first;
      IndexHandle index;
      AnswerHandle found;
      proxel_device* const devices[] = {device};
      CHECK_OK(krulis ? proxel_krulis_index_create(devices, 1, of(part), nullptr, &index)
                      : proxel_signature_index_create(device, of(part), nullptr, &index));
      CHECK_OK(proxel_index_search(index, of(c_asked), k, ordered_by(nullptr), &found));
      return found;
    };
    check_trees(count, k, search(0, count), search);
  }
}

TEST_CASE("what an ordered plan wrote is an answer that can be merged") {
  const Matrix<float> database = random_matrix(rows, dimensions, 1), asked = random_matrix(queries, dimensions, 2);
  for (const std::string& id : device_ids())
    for (const bool of_index : {true, false}) {
      CAPTURE(id);
      CAPTURE(of_index);
      Both both(id);
      AnswerHandle whole, found;
      CHECK_OK(proxel_index_search(both.c, of(both.c_queries), k, by("l2"), &whole));
      CHECK_OK(proxel_index_search(both.c, of(both.c_queries), k, ordered_by("l2"), &found));
      PlanHandle plan;
      auto with = plan_by("l2");
      with.ordered = 1;
      CHECK_OK(of_index
                   ? proxel_index_plan(both.c, queries, k, &with, &plan)
                   : proxel_rows_plan(both.device, describe_rows("scan", rows, dimensions), queries, k, &with, &plan));
      Recorded recorded(both.device, plan);
      recorded.write(recorded.buffers.queries, asked.data());
      if (!of_index) recorded.write(recorded.buffers.rows, database.data());
      recorded.run();
      proxel_answer_view view = PROXEL_ANSWER_VIEW_INIT;
      view.queries = queries;
      view.columns = k;
      view.indices = static_cast<const std::uint32_t*>(proxel_buffer_mapped(recorded.buffers.indices.buffer));
      view.distances = static_cast<const float*>(proxel_buffer_mapped(recorded.buffers.distances.buffer));
      view.metric = "l2";
      view.ordered = 1;
      AnswerHandle made, finished;
      CHECK_OK(proxel_answer_create(&view, &made));
      CHECK(same_answers(made, found));
      CHECK_OK(proxel_finish(merged({{made, 0}}, k), &finished));
      CHECK(same_answers(finished, whole));
    }
}

TEST_CASE("what cannot be merged is refused") {
  Both both;
  AnswerHandle found, finished, of_l1, fewer, within, none;
  CHECK_OK(proxel_index_search(both.c, of(both.c_queries), k, ordered_by("l2"), &found));
  CHECK_OK(proxel_index_search(both.c, of(both.c_queries), k, by("l2"), &finished));
  CHECK_OK(proxel_index_search(both.c, of(both.c_queries), k, by("l1"), &of_l1));
  proxel_own_rows one = PROXEL_OWN_ROWS_INIT;
  one.count = 1;
  CHECK_OK(proxel_index_search(both.c, of(one), k, ordered_by("l2"), &fewer));
  CHECK_OK(proxel_index_range_search(both.c, of(both.c_queries), 1, by("l1"), &within));
  const auto merge = [&](std::vector<proxel_part> parts, std::uint64_t nearest = k) {
    return proxel_merge(parts.data(), parts.size(), nearest, &none);
  };
  CHECK_FAILS(merge({{found, 0}, {finished, 500}}), PROXEL_INVALID_ARGUMENT, "parts");
  CHECK(std::string(proxel_last_error()).find("ordered = 1") != std::string::npos);
  CHECK_FAILS(merge({{found, 0}, {of_l1, 500}}), PROXEL_INVALID_ARGUMENT, "parts");
  CHECK(std::string(proxel_last_error()) == "parts: part 1 was searched by l1, part 0 by l2");
  CHECK_FAILS(merge({{within, 0}}), PROXEL_INVALID_ARGUMENT, "parts");
  CHECK_FAILS(merge({{nullptr, 0}}), PROXEL_INVALID_ARGUMENT, "parts");
  CHECK_FAILS(merge({}), PROXEL_INVALID_ARGUMENT, "parts");
  CHECK_FAILS(proxel_merge(nullptr, 1, k, &none), PROXEL_INVALID_ARGUMENT, "parts");
  CHECK_FAILS(merge({{found, 0}, {fewer, 500}}), PROXEL_INVALID_ARGUMENT, "queries of a part");
  CHECK_FAILS(merge({{found, 0xFFFFFFFF}}), PROXEL_INVALID_ARGUMENT, "first index");
  CHECK_FAILS(merge({{found, 0}}, 0), PROXEL_INVALID_ARGUMENT, "k");
  CHECK_FAILS(merge({{found, 0}}, std::uint64_t{1} << 32), PROXEL_INVALID_ARGUMENT, "k");
  CHECK_FAILS(proxel_finish(finished, &none), PROXEL_INVALID_ARGUMENT, "ordered");
  CHECK_FAILS(proxel_finish(nullptr, &none), PROXEL_INVALID_ARGUMENT, "ordered");
  CHECK_FAILS(proxel_finish(within, &none), PROXEL_INVALID_ARGUMENT, "ordered");
  CHECK(none == nullptr);
  const proxel_part part{found, 0};
  CHECK_FAILS(proxel_merge(&part, 1, k, nullptr), PROXEL_INVALID_ARGUMENT, "answer");
  CHECK_FAILS(proxel_finish(found, nullptr), PROXEL_INVALID_ARGUMENT, "answer");
  // Pages continue behind pages of their kind.
  auto options = by("l2");
  options.after = found;
  CHECK_FAILS(proxel_index_search(both.c, of(both.c_queries), k, &options, &none), PROXEL_INVALID_ARGUMENT, "after");
  options.after = within;
  options.metric = "l1";
  CHECK_FAILS(proxel_index_search(both.c, of(both.c_queries), k, &options, &none), PROXEL_INVALID_ARGUMENT, "after");
  options.after = finished;
  options.metric = "l2";
  options.ordered = 1;
  CHECK_FAILS(proxel_index_search(both.c, of(both.c_queries), k, &options, &none), PROXEL_INVALID_ARGUMENT, "after");
  options.after = found;
  CHECK_OK(proxel_index_search(both.c, of(both.c_queries), k, &options, &none));
}

TEST_CASE("answers are copied to arrays of the caller's, where there is room") {
  Both both;
  AnswerHandle nearest, within, all;
  CHECK_OK(proxel_index_search(both.c, of(both.c_queries), k, by("l1"), &nearest));
  const Neighbors expected = both.cpp.search(both.asked.view(), k, Metric::l1);
  Found found(queries, k);
  CHECK_FAILS(proxel_answer_copy(nearest, found.indices.data(), found.distances.data(), found.slots - 1),
              PROXEL_INVALID_ARGUMENT, "slots");
  CHECK(found.untouched());
  CHECK_OK(proxel_answer_copy(nearest, found.indices.data(), found.distances.data(), found.slots));
  CHECK(found == expected);
  Found apart(queries, k);
  CHECK_OK(proxel_answer_copy(nearest, apart.indices.data(), nullptr, apart.slots));
  CHECK_OK(proxel_answer_copy(nearest, nullptr, apart.distances.data(), apart.slots + 1));
  CHECK(apart == expected);

  CHECK_OK(proxel_index_range_search(both.c, of(both.c_queries), 1, by("l1"), &within));
  const std::uint64_t matches = view_of(within).offsets[queries];
  REQUIRE(matches > 1);
  Found some(1, matches);
  CHECK_FAILS(proxel_answer_copy(within, some.indices.data(), some.distances.data(), matches - 1),
              PROXEL_INVALID_ARGUMENT, "slots");
  CHECK_OK(proxel_answer_copy(within, some.indices.data(), some.distances.data(), matches));
  CHECK(std::memcmp(some.indices.data(), view_of(within).indices, matches * 4) == 0);
  CHECK(std::memcmp(some.distances.data(), view_of(within).distances, matches * 4) == 0);
  CHECK(some.indices.back() == 0xABABABAB);

  const Signatures known = random_signatures(10, 1), wanted = random_signatures(3, 2);
  const proxel_signatures c_known = c_signatures(known), c_wanted = c_signatures(wanted);
  IndexHandle signatures;
  CHECK_OK(proxel_signature_index_create(both.device, of(c_known), nullptr, &signatures));
  CHECK_OK(proxel_index_distances(signatures, of(c_wanted), nullptr, &all));
  Found table(3, 10);
  CHECK_FAILS(proxel_answer_copy(all, table.indices.data(), table.distances.data(), 30), PROXEL_INVALID_ARGUMENT,
              "indices");
  CHECK_OK(proxel_answer_copy(all, nullptr, table.distances.data(), 30));
  CHECK(std::memcmp(table.distances.data(), view_of(all).distances, 30 * 4) == 0);
  CHECK(table.distances.back() == -77);
  CHECK_FAILS(proxel_answer_copy(nullptr, nullptr, nullptr, 0), PROXEL_INVALID_ARGUMENT, "answer");
}

TEST_CASE("of no queries the answer is empty, for every search") {
  Both both;
  proxel_matrix nothing = both.c_queries;
  nothing.rows = 0;
  AnswerHandle nearest, within, all, merge;
  CHECK_OK(proxel_index_search(both.c, of(nothing), k, nullptr, &nearest));
  CHECK(view_of(nearest).queries == 0);
  CHECK(view_of(nearest).columns == k);
  CHECK_OK(proxel_answer_copy(nearest, nullptr, nullptr, 0));
  std::uint32_t room = 7;
  CHECK_OK(proxel_answer_copy(nearest, &room, nullptr, 0));
  CHECK(room == 7);
  CHECK_OK(proxel_index_range_search(both.c, of(nothing), 1, nullptr, &within));
  CHECK(view_of(within).queries == 0);
  CHECK(view_of(within).offsets[0] == 0);
  merge = merged({{nearest, 0}, {nearest, 500}}, k);
  CHECK(view_of(merge).queries == 0);
  const Signatures known = random_signatures(10, 1);
  proxel_signatures c_known = c_signatures(known);
  IndexHandle signatures;
  CHECK_OK(proxel_signature_index_create(both.device, of(c_known), nullptr, &signatures));
  c_known.count = 0;
  CHECK_OK(proxel_index_distances(signatures, of(c_known), nullptr, &all));
  CHECK(view_of(all).queries == 0);
}

TEST_CASE("answers of the caller's arrays are checked") {
  const std::uint32_t indices[] = {3, 1, 2, 0};
  const float distances[] = {0, 1, 2, 3};
  proxel_answer_view view = PROXEL_ANSWER_VIEW_INIT;
  view.queries = view.columns = 2;
  view.indices = indices;
  view.distances = distances;
  AnswerHandle answer, none;
  CHECK_OK(proxel_answer_create(&view, &answer));
  CHECK(std::string(view_of(answer).metric) == "l2sq");
  CHECK(view_of(answer).ordered == 1);  // l2sq is ordered by its distances
  CHECK(view_of(answer).indices != indices);
  CHECK(std::memcmp(view_of(answer).indices, indices, sizeof indices) == 0);
  const proxel_report report = report_of(answer);
  CHECK(report.method == nullptr);
  CHECK(report.total_milliseconds == 0);
  view.metric = "cosine";
  CHECK_OK(proxel_answer_create(&view, &answer));
  CHECK(view_of(answer).ordered == 0);
  const auto check = [&](const char* at_fault, const auto& change) {
    proxel_answer_view bad = view;
    change(bad);
    CHECK_FAILS(proxel_answer_create(&bad, &none), PROXEL_INVALID_ARGUMENT, at_fault);
  };
  const std::uint64_t offsets[] = {0, 2, 4};
  check("offsets", [&](auto& bad) { bad.offsets = offsets; });
  check("columns", [](auto& bad) { bad.columns = 0; });
  check("columns", [](auto& bad) { bad.columns = std::uint64_t{1} << 32; });
  check("indices", [](auto& bad) { bad.indices = nullptr; });
  check("distances", [](auto& bad) { bad.distances = nullptr; });
  check("metric", [](auto& bad) { bad.metric = "l3"; });
  check("ordered", [](auto& bad) { bad.ordered = 2; });
  check("view", [](auto& bad) { bad.struct_size = 7; });
  view.queries = std::uint64_t{1} << 40;
  view.columns = 0xFFFFFFFF;
  const proxel_status large = proxel_answer_create(&view, &none);
  CHECK((large == PROXEL_OUT_OF_MEMORY || large == PROXEL_INVALID_ARGUMENT));
  CHECK(none == nullptr);
  CHECK_FAILS(proxel_answer_create(nullptr, &none), PROXEL_INVALID_ARGUMENT, "view");
  CHECK_FAILS(proxel_answer_create(&view, nullptr), PROXEL_INVALID_ARGUMENT, "answer");
}

TEST_CASE("answers are read at any time by any thread, and handles that are none are refused") {
  Both both;
  AnswerHandle answer, second;
  CHECK_OK(proxel_index_search(both.c, of(both.c_queries), k, nullptr, &answer));
  struct Reading {
    const proxel_answer* answer;
    bool read = false;
    static int call(void* user, std::uint64_t, std::uint64_t) {
      auto* self = static_cast<Reading*>(user);
      const auto read = [self] { self->read = view_of(self->answer).queries == queries; };
      read();
      std::thread(read).join();
      return 0;
    }
  } reading{answer};
  CHECK_OK(proxel_index_search(both.c, of(both.c_queries), k, telling(reading), &second));
  CHECK(reading.read);
  proxel_answer_view view = PROXEL_ANSWER_VIEW_INIT;
  proxel_report report = PROXEL_REPORT_INIT;
  CHECK_FAILS(proxel_answer_get(nullptr, &view), PROXEL_INVALID_ARGUMENT, "answer");
  CHECK_FAILS(proxel_answer_get(answer, nullptr), PROXEL_INVALID_ARGUMENT, "view");
  CHECK_FAILS(proxel_answer_get_report(nullptr, &report), PROXEL_INVALID_ARGUMENT, "answer");
  CHECK_FAILS(proxel_answer_get_report(answer, nullptr), PROXEL_INVALID_ARGUMENT, "report");
  auto* const index_as_answer = reinterpret_cast<proxel_answer*>(static_cast<proxel_index*>(both.c));
  CHECK_FAILS(proxel_answer_get(index_as_answer, &view), PROXEL_INVALID_ARGUMENT, "answer");
  proxel_answer* const gone = answer;
  answer.reset();
  CHECK_FAILS(proxel_answer_get(gone, &view), PROXEL_INVALID_ARGUMENT, "answer");
  CHECK(std::string(proxel_last_error()) == "answer: has been destroyed");
}
