// Plans of other kinds than those of an index: within a radius, selections, signatures, strings, permutations.
#include <algorithm>
#include <cmath>
#include <limits>

#include "proxel/permutation.hpp"
#include "proxel/selection.hpp"
#include "proxel/signature_index.hpp"
#include "proxel/vector_permutation.hpp"
#include "recorded.hpp"
#include "signature_data.hpp"

using namespace proxel;
using namespace proxel::c_test;

namespace {

constexpr std::uint64_t rows = 300, k = 6;
constexpr std::uint32_t dimensions = 4, queries = 19;

const Matrix<float> database = random_matrix(rows, dimensions, 1);
const Matrix<float> asked = random_matrix(queries, dimensions, 2);

proxel_selection_description describe_selection() {
  proxel_selection_description description = PROXEL_SELECTION_DESCRIPTION_INIT;
  description.rows = queries;
  description.columns = rows;
  description.k = k;
  return description;
}

// Signatures as both interfaces take them.
struct SomeSignatures {
  Signatures known, wanted;
  proxel_signatures c_known, c_wanted;

  SomeSignatures(std::uint64_t known_count, std::uint64_t wanted_count)
      : known(random_signatures(known_count, 1)),
        wanted(random_signatures(wanted_count, 2)),
        c_known(c_signatures(known)),
        c_wanted(c_signatures(wanted)) {}
  SomeSignatures(const SomeSignatures&) = delete;
};

}  // namespace

TEST_CASE("the device's count of queries holds for plans of an index and of rows") {
  const auto own = open_device("cpu");
  const Neighbors all = Index(*own, database.view()).search(asked.view(), k, Metric::l2);
  for (const std::string& id : device_ids())
    for (const bool of_index : {true, false}) {
      CAPTURE(id);
      CAPTURE(of_index);
      const DeviceHandle device = open(id);
      PlanHandle plan;
      IndexHandle index;
      auto with = plan_by("l2");
      with.counted = 1;
      if (of_index) {
        const proxel_matrix view = c_matrix(database);
        proxel_index_options options = PROXEL_INDEX_OPTIONS_INIT;
        options.method = "scan";
        CHECK_OK(proxel_index_create(device, of(view), &options, &index));
        CHECK_OK(proxel_index_plan(index, queries, k, &with, &plan));
      } else {
        CHECK_OK(proxel_rows_plan(device, describe_rows("scan", rows, dimensions), queries, k, &with, &plan));
      }
      proxel_requirements needed = PROXEL_REQUIREMENTS_INIT;
      CHECK_OK(proxel_plan_get_requirements(plan, &needed));
      CHECK(needed.count.bytes == 4);
      Recorded recorded(device, plan);
      recorded.write(recorded.buffers.queries, asked.data());
      if (!of_index) recorded.write(recorded.buffers.rows, database.data());
      const std::uint32_t there = 7;
      recorded.write(recorded.buffers.count, &there);
      const std::vector<std::uint32_t> untouched(queries * k, 0xEEEEEEEE);
      recorded.write(recorded.buffers.indices, untouched.data());
      recorded.run();
      CHECK(Recorded::holds(recorded.buffers.indices, all.indices.data(), there * k * 4));
      const auto* past = static_cast<const std::uint32_t*>(proxel_buffer_mapped(recorded.buffers.indices.buffer));
      CHECK(std::count(past + there * k, past + queries * k, 0xEEEEEEEE) == (queries - there) * k);
    }
}

TEST_CASE("rows within a radius, at once and in two halves") {
  const auto own = open_device("cpu");
  const RangeNeighbors expected = Index(*own, database.view()).range_search(asked.view(), 2, Metric::l1);
  REQUIRE(expected.indices.size() > queries);
  for (const std::string& id : device_ids()) {
    CAPTURE(id);
    const DeviceHandle device = open(id);
    PlanHandle plan;
    CHECK_OK(proxel_rows_plan_range(device, describe_rows("scan", rows, dimensions), queries, 2, plan_by("l1"), &plan));
    for (const bool at_once : {true, false}) {
      CAPTURE(at_once);
      Recorded recorded(device, plan, expected.indices.size());
      recorded.write(recorded.buffers.queries, asked.data());
      recorded.write(recorded.buffers.rows, database.data());
      if (at_once) {
        recorded.run();
      } else {
        recorded.run(proxel_plan_record_count);
        CHECK(Recorded::holds(recorded.buffers.offsets, expected.offsets.data(), expected.offsets.size() * 8));
        recorded.run(proxel_plan_record_fill);
      }
      CHECK(recorded == expected);
    }
  }
}

TEST_CASE("plans within a radius that cannot be are refused") {
  const DeviceHandle device = open("cpu");
  PlanHandle plan;
  proxel_rows_description description = describe_rows("scan", rows, dimensions);
  const auto make = [&](const proxel_plan_options* options, float radius = 2) {
    return proxel_rows_plan_range(device, &description, queries, radius, options, &plan);
  };
  CHECK_FAILS(make(nullptr, std::numeric_limits<float>::quiet_NaN()), PROXEL_INVALID_ARGUMENT, "radius");
  CHECK_FAILS(make(plan_by("cosine")), PROXEL_UNSUPPORTED, "metric");
  proxel_plan_options with = PROXEL_PLAN_OPTIONS_INIT;
  with.continued = 1;
  CHECK_FAILS(make(&with), PROXEL_UNSUPPORTED, "continued");
  description.method = "bvh";
  CHECK_FAILS(make(nullptr), PROXEL_UNSUPPORTED, "method");
  description = describe_rows("scan", 0, dimensions);
  CHECK_FAILS(make(nullptr), PROXEL_INVALID_ARGUMENT, "rows");
  CHECK_FAILS(proxel_rows_plan_range(device, nullptr, 1, 1, nullptr, &plan), PROXEL_INVALID_ARGUMENT, "rows");
  CHECK_FAILS(proxel_rows_plan_range(nullptr, &description, 1, 1, nullptr, &plan), PROXEL_INVALID_ARGUMENT, "device");
  CHECK_FAILS(proxel_rows_plan_range(device, &description, 1, 1, nullptr, nullptr), PROXEL_INVALID_ARGUMENT, "plan");
  const proxel_matrix view = c_matrix(database);
  IndexHandle index;
  CHECK_OK(proxel_index_create(device, of(view), nullptr, &index));
  CHECK_FAILS(proxel_index_plan_range(index, 0, 1, nullptr, &plan), PROXEL_INVALID_ARGUMENT, "queries");
  CHECK_FAILS(proxel_index_plan_range(index, 1, NAN, nullptr, &plan), PROXEL_INVALID_ARGUMENT, "radius");
  CHECK_FAILS(proxel_index_plan_range(index, 1, 1, plan_by("l3"), &plan), PROXEL_INVALID_ARGUMENT, "metric");
  CHECK_FAILS(proxel_index_plan_range(nullptr, 1, 1, nullptr, &plan), PROXEL_INVALID_ARGUMENT, "index");
  CHECK_FAILS(proxel_index_plan_range(index, 1, 1, nullptr, nullptr), PROXEL_INVALID_ARGUMENT, "plan");
  with.continued = 1;
  CHECK_FAILS(proxel_index_plan_range(index, 1, 1, &with, &plan), PROXEL_UNSUPPORTED, "continued");
  with = PROXEL_PLAN_OPTIONS_INIT;
  with.counted = 1;
  CHECK_FAILS(proxel_index_plan_range(index, 1, 1, &with, &plan), PROXEL_UNSUPPORTED, "counted");
  proxel_selection_description selection = describe_selection();
  selection.k = 0;
  CHECK_FAILS(proxel_selection_plan(device, &selection, &plan), PROXEL_INVALID_ARGUMENT, "k");
  selection = describe_selection();
  selection.method = "bubble-sort";
  CHECK_FAILS(proxel_selection_plan(device, &selection, &plan), PROXEL_INVALID_ARGUMENT, "method");
  selection = describe_selection();
  selection.unsorted = 2;
  CHECK_FAILS(proxel_selection_plan(device, &selection, &plan), PROXEL_INVALID_ARGUMENT, "unsorted");
  CHECK(plan == nullptr);
  selection = describe_selection();
  CHECK_OK(proxel_selection_plan(device, &selection, &plan));
  Recorded recorded(device, plan);
  RecordingHandle recording;
  CHECK_OK(proxel_recording_create(device, nullptr, &recording));
  CHECK_OK(proxel_recording_begin(recording));
  CHECK_FAILS(proxel_plan_record_count(plan, recording, &recorded.buffers), PROXEL_UNSUPPORTED, "plan");
  CHECK_FAILS(proxel_plan_record_fill(plan, recording, &recorded.buffers), PROXEL_UNSUPPORTED, "plan");
}

TEST_CASE("rows of an index within a radius, filtered, until the index changes") {
  const auto own = open_device("cpu");
  const Matrix<std::uint32_t> filter = [] {
    Matrix<std::uint32_t> words(1, (rows + 31) / 32);
    std::fill_n(words.data(), words.columns(), 0x6DB6DB6Du);
    return words;
  }();
  Index cpp(*own, database.view());
  const RangeNeighbors near[] = {cpp.range_search(asked.view(), 0.3f, Metric::cosine),
                                 cpp.range_search(asked.view(), 0.3f, Metric::cosine, {.filter = filter.view()})};
  REQUIRE(near[1].indices.size() > queries);
  REQUIRE(near[1].indices.size() < near[0].indices.size());
  for (const std::string& id : device_ids()) {
    CAPTURE(id);
    const DeviceHandle device = open(id);
    const proxel_matrix view = c_matrix(database);
    IndexHandle index;
    CHECK_OK(proxel_index_create(device, of(view), nullptr, &index));
    for (const bool filtered : {false, true}) {
      CAPTURE(filtered);
      const RangeNeighbors& expected = near[filtered];
      proxel_plan_options with = PROXEL_PLAN_OPTIONS_INIT;
      with.filter = filtered ? "shared" : "none";
      with.metric = "cosine";
      PlanHandle plan;
      CHECK_OK(proxel_index_plan_range(index, queries, 0.3f, &with, &plan));
      for (const bool at_once : {true, false}) {
        CAPTURE(at_once);
        Recorded recorded(device, plan, expected.indices.size());
        recorded.write(recorded.buffers.queries, asked.data());
        if (filtered) recorded.write(recorded.buffers.filter, filter.data());
        if (!at_once) {
          recorded.run(proxel_plan_record_count);
          CHECK(Recorded::holds(recorded.buffers.offsets, expected.offsets.data(), expected.offsets.size() * 8));
        }
        recorded.run(at_once ? proxel_plan_record : proxel_plan_record_fill);
        CHECK(recorded == expected);
      }
      if (!filtered) continue;
      const std::uint32_t first = 0;
      CHECK_OK(proxel_index_remove(index, &first, 1, nullptr));
      Recorded recorded(device, plan, 1);
      RecordingHandle recording;
      CHECK_OK(proxel_recording_create(device, nullptr, &recording));
      CHECK_OK(proxel_recording_begin(recording));
      CHECK_FAILS(proxel_plan_record(plan, recording, &recorded.buffers), PROXEL_INVALID_ARGUMENT, "plan");
    }
  }
}

TEST_CASE("the largest values of rows, with a payload in place of columns") {
  const Matrix<float> values = random_matrix(queries, rows, 3);
  Neighbors expected{Matrix<std::uint32_t>(queries, k), Matrix<float>(queries, k)};
  Matrix<std::uint32_t> payload(queries, rows);
  for (std::uint64_t row = 0; row < queries; ++row) {
    std::vector<std::pair<float, std::uint32_t>> order;
    for (std::uint32_t column = 0; column < rows; ++column) {
      payload(row, column) = 1000 + column;
      order.emplace_back(-values(row, column), column);
    }
    std::sort(order.begin(), order.end());
    for (std::uint64_t i = 0; i < k; ++i) {
      expected.distances(row, i) = -order[i].first;
      expected.indices(row, i) = 1000 + order[i].second;
    }
  }
  for (const std::string& id : device_ids())
    for (const char* method : {"streaming", "radix-sort"}) {
      CAPTURE(id);
      CAPTURE(method);
      const DeviceHandle device = open(id);
      proxel_selection_description description = describe_selection();
      description.method = method;
      description.largest_first = description.has_payload = 1;
      PlanHandle plan;
      CHECK_OK(proxel_selection_plan(device, &description, &plan));
      proxel_plan_info info = PROXEL_PLAN_INFO_INIT;
      CHECK_OK(proxel_plan_get_info(plan, &info));
      CHECK(std::string(info.method) == method);
      Recorded recorded(device, plan);
      recorded.write(recorded.buffers.values, values.data());
      recorded.write(recorded.buffers.payload, payload.data());
      recorded.run();
      CHECK(recorded == expected);
    }
}

TEST_CASE("signatures are packed and their searches recorded as in C++, by every method") {
  const SomeSignatures some(120, queries);
  const auto& [known, wanted, c_known, c_wanted] = some;
  const auto own = open_device("cpu");
  SignatureIndex cpp(*own, known);
  const Neighbors nearest = cpp.search(wanted, k);
  const RangeNeighbors near = cpp.range_search(wanted, 0.3f);
  const Matrix<float> all = cpp.distances(wanted).values;
  for (const std::string& id : device_ids())
    for (const char* method : {"canonical", "screened", "filtered"}) {
      CAPTURE(id);
      CAPTURE(method);
      const DeviceHandle device = open(id);
      proxel_signature_options options = PROXEL_SIGNATURE_OPTIONS_INIT;
      options.method = method;
      IndexHandle index;
      CHECK_OK(proxel_signature_index_create(device, of(c_known), &options, &index));
      PlanHandle plans[3];
      CHECK_OK(proxel_index_plan(index, queries, k, plan_up_to(longest_signature), &plans[0]));
      CHECK_OK(proxel_index_plan_range(index, queries, 0.3f, plan_up_to(longest_signature), &plans[1]));
      CHECK_OK(proxel_index_plan_distances(index, queries, plan_up_to(longest_signature), &plans[2]));
      index.reset();  // a plan keeps what it was made from
      for (int i = 0; i < 3; ++i) {
        CAPTURE(i);
        proxel_plan_info info = PROXEL_PLAN_INFO_INIT;
        CHECK_OK(proxel_plan_get_info(plans[i], &info));
        CHECK(std::string(info.method) == (i == 2 ? "canonical" : method));
        CHECK(info.distance_stride == (i == 2 ? 120 : 0));
        proxel_signature_layout layout = PROXEL_SIGNATURE_LAYOUT_INIT;
        CHECK_OK(proxel_plan_get_signature_layout(plans[i], &layout));
        Recorded recorded(device, plans[i], near.indices.size());
        CHECK(proxel_buffer_bytes(recorded.buffers.queries.buffer) == layout.bytes);
        CHECK_OK(proxel_plan_pack_signatures(plans[i], &c_wanted, proxel_buffer_mapped(recorded.buffers.queries.buffer),
                                             layout.bytes));
        recorded.run();
        if (i == 0) CHECK(recorded == nearest);
        if (i == 1) CHECK(recorded == near);
        if (i == 2) CHECK(Recorded::holds(recorded.buffers.distances, all.data(), queries * 120 * 4));
      }
    }
}

TEST_CASE("plans of signatures, and what is packed for them, are checked") {
  const SomeSignatures some(40, 3);
  const auto& [known, wanted, c_known, c_wanted] = some;
  const DeviceHandle device = open("cpu");
  IndexHandle index;
  CHECK_OK(proxel_signature_index_create(device, of(c_known), nullptr, &index));
  PlanHandle plan, none;
  CHECK_FAILS(proxel_index_plan(index, 0, k, plan_up_to(7), &none), PROXEL_INVALID_ARGUMENT, "queries");
  CHECK_FAILS(proxel_index_plan(index, 3, k, nullptr, &none), PROXEL_INVALID_ARGUMENT, "query length");
  CHECK_FAILS(proxel_index_plan(index, 3, k, plan_up_to(std::uint64_t{1} << 32), &none), PROXEL_INVALID_ARGUMENT,
              "longest_query");
  CHECK_FAILS(proxel_index_plan(index, 3, 0, plan_up_to(7), &none), PROXEL_INVALID_ARGUMENT, "k");
  CHECK_FAILS(proxel_index_plan(nullptr, 3, k, plan_up_to(7), &none), PROXEL_INVALID_ARGUMENT, "index");
  CHECK_FAILS(proxel_index_plan(index, 3, k, plan_up_to(7), nullptr), PROXEL_INVALID_ARGUMENT, "plan");
  CHECK_FAILS(proxel_index_plan_range(index, 3, std::numeric_limits<float>::quiet_NaN(), plan_up_to(7), &none),
              PROXEL_INVALID_ARGUMENT, "radius");
  CHECK_FAILS(proxel_index_plan_distances(index, 0, plan_up_to(7), &none), PROXEL_INVALID_ARGUMENT, "queries");
  CHECK(none == nullptr);
  CHECK_OK(proxel_index_plan(index, 3, k, plan_up_to(7), &plan));
  proxel_signature_layout layout = PROXEL_SIGNATURE_LAYOUT_INIT;
  CHECK_OK(proxel_plan_get_signature_layout(plan, &layout));
  CHECK(layout.coordinates < layout.weights);
  CHECK(layout.counts < layout.bytes);
  std::vector<std::uint32_t> memory(layout.bytes / 4);
  CHECK_OK(proxel_plan_pack_signatures(plan, &c_wanted, memory.data(), layout.bytes));
  CHECK_FAILS(proxel_plan_pack_signatures(plan, &c_wanted, memory.data(), layout.bytes - 4), PROXEL_INVALID_ARGUMENT,
              "bytes of packed queries");
  CHECK_FAILS(proxel_plan_pack_signatures(plan, &c_known, memory.data(), layout.bytes), PROXEL_INVALID_ARGUMENT,
              "queries");
  CHECK_FAILS(proxel_plan_pack_signatures(plan, &c_wanted, nullptr, layout.bytes), PROXEL_INVALID_ARGUMENT, "to");
  CHECK_FAILS(proxel_plan_pack_signatures(nullptr, &c_wanted, memory.data(), layout.bytes), PROXEL_INVALID_ARGUMENT,
              "plan");
  const proxel_selection_description selection = describe_selection();
  CHECK_OK(proxel_selection_plan(device, &selection, &none));
  CHECK_FAILS(proxel_plan_get_signature_layout(none, &layout), PROXEL_INVALID_ARGUMENT, "plan");
  std::uint64_t count = 0;
  const Words words(random_words(3, 2));
  const proxel_strings c_words = words.c();
  CHECK_FAILS(proxel_plan_encode_strings(none, &c_words, memory.data(), 10, memory.data(), 10, &count),
              PROXEL_INVALID_ARGUMENT, "plan");
  proxel_plan_info info = PROXEL_PLAN_INFO_INIT;
  CHECK_FAILS(proxel_plan_get_info(nullptr, &info), PROXEL_INVALID_ARGUMENT, "plan");
}

TEST_CASE("strings are encoded and their searches recorded as in C++, until the index changes") {
  constexpr std::uint32_t longest = 16;
  constexpr double fraction = 0.4;
  const Words known(random_words(200, 1)), wanted(random_words(queries, 2));
  const proxel_strings c_known = known.c(), c_wanted = wanted.c();
  const auto own = open_device("cpu");
  const Neighbors exact = StringIndex(*own, known.strings).search(wanted.strings, k);
  const Neighbors near = PermutationIndex(*own, known.strings).search(wanted.strings, k, fraction);
  constexpr float radius = 3;
  const RangeNeighbors exact_within = StringIndex(*own, known.strings).range_search(wanted.strings, radius);
  const RangeNeighbors near_within =
      PermutationIndex(*own, known.strings).range_search(wanted.strings, radius, fraction);
  REQUIRE(near_within.indices.size() > 0);
  REQUIRE(near_within.indices.size() < exact_within.indices.size());
  for (const std::string& id : device_ids())
    for (const int kind : {0, 1, 2, 3}) {
      const bool permutations = kind / 2 != 0, within = kind % 2 != 0;
      CAPTURE(id);
      CAPTURE(permutations);
      CAPTURE(within);
      const DeviceHandle device = open(id);
      IndexHandle index;
      PlanHandle plan;
      CHECK_OK(permutations ? proxel_permutation_index_create(device, of(c_known), nullptr, &index)
                            : proxel_string_index_create(device, of(c_known), nullptr, &index));
      const auto with = plan_among(permutations ? fraction : 0, longest);
      CHECK_OK(within ? proxel_index_plan_range(index, queries, radius, &with, &plan)
                      : proxel_index_plan(index, queries, k, &with, &plan));
      const RangeNeighbors& expected_within = permutations ? near_within : exact_within;
      Recorded recorded(device, plan, expected_within.indices.size());
      std::vector<std::uint32_t> symbols(queries * longest), offsets(queries + 1);
      std::uint64_t count = 0;
      CHECK_OK(proxel_plan_encode_strings(plan, &c_wanted, symbols.data(), symbols.size(), offsets.data(),
                                          offsets.size(), &count));
      CHECK(count == offsets.back());
      CHECK_FAILS(proxel_plan_encode_strings(plan, &c_wanted, symbols.data(), count - 1, offsets.data(), offsets.size(),
                                             &count),
                  PROXEL_INVALID_ARGUMENT, "symbols");
      CHECK_FAILS(proxel_plan_encode_strings(plan, &c_wanted, symbols.data(), count, offsets.data(), queries, &count),
                  PROXEL_INVALID_ARGUMENT, "offsets");
      recorded.write(recorded.buffers.queries, symbols.data());
      recorded.write(recorded.buffers.query_offsets, offsets.data());
      recorded.run();
      if (within)
        CHECK(recorded == expected_within);
      else
        CHECK(recorded == (permutations ? near : exact));

      const std::uint32_t first = 0;
      CHECK_OK(proxel_index_remove(index, &first, 1, nullptr));
      RecordingHandle recording;
      CHECK_OK(proxel_recording_create(device, nullptr, &recording));
      CHECK_OK(proxel_recording_begin(recording));
      CHECK_FAILS(proxel_plan_record(plan, recording, &recorded.buffers), PROXEL_INVALID_ARGUMENT, "plan");
    }
}

TEST_CASE("vectors by permutations are planned as in C++") {
  constexpr double fraction = 0.3;
  const proxel_matrix view = c_matrix(database);
  const auto own = open_device("cpu");
  const Neighbors expected =
      VectorPermutationIndex(*own, database.view(), Metric::l2).search(asked.view(), k, fraction);
  const RangeNeighbors within =
      VectorPermutationIndex(*own, database.view(), Metric::l2).range_search(asked.view(), 1.5f, fraction);
  REQUIRE(within.indices.size() > queries);
  for (const std::string& id : device_ids()) {
    CAPTURE(id);
    const DeviceHandle device = open(id);
    IndexHandle index;
    proxel_permutation_options options = PROXEL_PERMUTATION_OPTIONS_INIT;
    options.metric = "l2";
    CHECK_OK(proxel_permutation_index_create(device, of(view), &options, &index));
    PlanHandle plan, plan_within;
    CHECK_FAILS(proxel_index_plan(index, queries, k, plan_among(2), &plan), PROXEL_INVALID_ARGUMENT, "fraction");
    CHECK_OK(proxel_index_plan(index, queries, k, plan_among(fraction), &plan));
    CHECK_FAILS(proxel_index_plan_range(index, queries, NAN, plan_among(fraction), &plan_within),
                PROXEL_INVALID_ARGUMENT, "radius");
    CHECK_OK(proxel_index_plan_range(index, queries, 1.5f, plan_among(fraction), &plan_within));
    index.reset();
    Recorded recorded(device, plan);
    recorded.write(recorded.buffers.queries, asked.data());
    recorded.run();
    CHECK(recorded == expected);
    Recorded recorded_within(device, plan_within, within.indices.size());
    recorded_within.write(recorded_within.buffers.queries, asked.data());
    recorded_within.run();
    CHECK(recorded_within == within);
    RecordingHandle recording;
    CHECK_OK(proxel_recording_create(device, nullptr, &recording));
    CHECK_OK(proxel_recording_begin(recording));
    CHECK_FAILS(proxel_plan_record_count(plan_within, recording, &recorded_within.buffers), PROXEL_UNSUPPORTED, "plan");
  }
}
