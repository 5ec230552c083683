// Plans of an index, and of rows in buffers of the caller's.
#include <numeric>

#include "recorded.hpp"

using namespace proxel;
using namespace proxel::c_test;

namespace {

constexpr std::uint64_t rows = 400;
constexpr std::uint32_t dimensions = 5;
constexpr std::uint32_t queries = 33;
constexpr std::uint64_t k = 7;

const Matrix<float> database = random_matrix(rows, dimensions, 1);
const Matrix<float> asked = random_matrix(queries, dimensions, 2);

IndexHandle make_index(proxel_device* device, const char* method) {
  const proxel_matrix view = c_matrix(database);
  proxel_index_options options = PROXEL_INDEX_OPTIONS_INIT;
  options.method = method;
  IndexHandle index;
  CHECK_OK(proxel_index_create(device, of(view), &options, &index));
  return index;
}

proxel_rows_description describe(const char* method) { return describe_rows(method, rows, dimensions); }

Neighbors expected_of(const Matrix<float>& of, Metric metric, const SearchOptions& options = {}) {
  const auto device = open_device("cpu");
  return Index(*device, of.view()).search(asked.view(), k, metric, options);
}

}  // namespace

TEST_CASE("a plan of an index, recorded by its caller, by every method") {
  for (const std::string& id : device_ids())
    for (std::uint64_t m = 0; proxel_method_name(m); ++m)
      for (const Metric metric : {Metric::l2, Metric::cosine}) {
        CAPTURE(id);
        CAPTURE(proxel_method_name(m));
        const std::string name(to_string(metric));
        DeviceHandle device = open(id);
        IndexHandle index = make_index(device, proxel_method_name(m));
        PlanHandle plan;
        const proxel_status status = proxel_index_plan(index, queries, k, plan_by(name.c_str()), &plan);
        CHECK(status == proxel_index_supports(index, k, by(name.c_str())));
        if (status != PROXEL_OK) continue;
        Recorded recorded(device, plan);
        // A plan keeps what it was made from.
        index.reset();
        recorded.write(recorded.buffers.queries, asked.data());
        recorded.run();
        CHECK(recorded == expected_of(database, metric));
        const proxel_rung* rungs = nullptr;
        std::uint64_t count = 99, decided = 0;
        CHECK_OK(proxel_plan_get_rungs(plan, &rungs, &count));
        for (std::uint64_t i = 0; i < count; ++i) decided += rungs[i].queries;
        CHECK((count == 0 || decided == queries));
      }
}

TEST_CASE("requirements are those of the C++ interface") {
  const DeviceHandle device = open("cpu");
  const IndexHandle index = make_index(device, "scan");
  PlanHandle plan;
  proxel_plan_options options = PROXEL_PLAN_OPTIONS_INIT;
  options.filter = "per-query";
  options.continued = 1;
  options.metric = "pearson";
  CHECK_OK(proxel_index_plan(index, queries, k, &options, &plan));
  proxel_requirements needed = PROXEL_REQUIREMENTS_INIT;
  CHECK_OK(proxel_plan_get_requirements(plan, &needed));

  const auto own = open_device("cpu");
  Index cpp(*own, database.view(), {.method = Method::scan});
  const SearchRequirements expected =
      cpp.plan(queries, k, Metric::pearson, {FilterKind::per_query, true})->requirements();
  const auto same = [](const proxel_requirement& given, const BufferRequirement& wanted) {
    return given.bytes == wanted.bytes && given.alignment == wanted.alignment && given.usage == wanted.usage;
  };
  CHECK(same(needed.queries, expected.queries));
  CHECK(same(needed.scratch, expected.scratch));
  CHECK(same(needed.indices, expected.indices));
  CHECK(same(needed.distances, expected.distances));
  CHECK(same(needed.filter, expected.filter));
  CHECK(same(needed.after_distances, expected.after_distances));
  CHECK(same(needed.after_indices, expected.after_indices));
  CHECK(needed.filter.bytes == queries * filter_words(rows) * 4);
  CHECK(needed.rows.bytes == 0);
  CHECK_FAILS(proxel_plan_get_requirements(plan, nullptr), PROXEL_INVALID_ARGUMENT, "requirements");
  CHECK_FAILS(proxel_plan_get_requirements(nullptr, &needed), PROXEL_INVALID_ARGUMENT, "plan");
}

TEST_CASE("filters and pages of a plan") {
  const Matrix<std::uint32_t> filter = [] {
    Matrix<std::uint32_t> words(1, filter_words(rows));
    for (std::uint64_t i = 0; i < words.columns(); ++i) words(0, i) = 0x55555555;
    return words;
  }();
  SearchOptions with;
  with.filter = filter.view();
  const Neighbors first_page = expected_of(database, Metric::l1, with);
  with.after = &first_page;
  const Neighbors second_page = expected_of(database, Metric::l1, with);
  for (const std::string& id : device_ids()) {
    CAPTURE(id);
    const DeviceHandle device = open(id);
    const IndexHandle index = make_index(device, "scan");
    proxel_plan_options options = PROXEL_PLAN_OPTIONS_INIT;
    options.filter = "shared";
    options.metric = "l1";
    PlanHandle first, second;
    CHECK_OK(proxel_index_plan(index, queries, k, &options, &first));
    options.continued = 1;
    CHECK_OK(proxel_index_plan(index, queries, k, &options, &second));
    Recorded page(device, first), next(device, second);
    for (Recorded* recorded : {&page, &next}) {
      recorded->write(recorded->buffers.queries, asked.data());
      recorded->write(recorded->buffers.filter, filter.data());
    }
    page.run();
    CHECK(page == first_page);
    // Behind the last column of the page before, where it lies.
    next.buffers.after_indices = {page.buffers.indices.buffer, (k - 1) * 4, 0};
    next.buffers.after_distances = {page.buffers.distances.buffer, (k - 1) * 4, 0};
    next.buffers.after_stride = k;
    next.run();
    CHECK(next == second_page);
  }
}

TEST_CASE("rows in a buffer of the caller's, which change between executions") {
  const Matrix<float> moved = random_matrix(rows, dimensions, 9);
  for (const std::string& id : device_ids())
    for (const char* method : {"scan", "bvh"}) {
      CAPTURE(id);
      CAPTURE(method);
      const DeviceHandle device = open(id);
      const proxel_rows_description description = describe(method);
      PlanHandle plan;
      CHECK_OK(proxel_rows_plan(device, &description, queries, k, plan_by("l2"), &plan));
      Recorded recorded(device, plan);
      recorded.write(recorded.buffers.queries, asked.data());
      for (const Matrix<float>* now : {&database, &moved}) {
        recorded.write(recorded.buffers.rows, now->data());
        recorded.run();
        CHECK(recorded == expected_of(*now, Metric::l2));
      }
    }
}

TEST_CASE("rows that ask for their neighbours among the others") {
  std::vector<std::uint32_t> self(queries);
  std::iota(self.begin(), self.end(), 0u);
  SearchOptions with;
  with.self = self;
  const auto own = open_device("cpu");
  const Neighbors expected =
      Index(*own, database.view()).search(database.view().slice(0, queries), k, Metric::l2, with);
  proxel_plan_options options = PROXEL_PLAN_OPTIONS_INIT;
  options.metric = "l2";
  options.exclude_self = 1;
  for (const std::string& id : device_ids())
    for (const char* method : {"index", "scan", "bvh"}) {
      CAPTURE(id);
      CAPTURE(method);
      const DeviceHandle device = open(id);
      const bool of_index = std::string(method) == "index";
      const IndexHandle index = make_index(device, "scan");
      const proxel_rows_description description = describe(of_index ? "scan" : method);
      PlanHandle plan;
      if (of_index)
        CHECK_OK(proxel_index_plan(index, queries, k, &options, &plan));
      else
        CHECK_OK(proxel_rows_plan(device, &description, queries, k, &options, &plan));
      Recorded recorded(device, plan);
      recorded.write(recorded.buffers.queries, database.data());
      recorded.write(recorded.buffers.self, self.data());
      if (!of_index) recorded.write(recorded.buffers.rows, database.data());
      recorded.run();
      CHECK(recorded == expected);
    }
}

TEST_CASE("rows at a stride, behind an offset") {
  constexpr std::uint64_t stride = 8, offset = 256;
  const DeviceHandle device = open("cpu");
  proxel_rows_description description = describe("bvh");
  description.row_stride = stride;
  PlanHandle plan;
  CHECK_OK(proxel_rows_plan(device, &description, queries, k, plan_by("l2"), &plan));
  proxel_requirements needed = PROXEL_REQUIREMENTS_INIT;
  CHECK_OK(proxel_plan_get_requirements(plan, &needed));
  CHECK(needed.rows.bytes == ((rows - 1) * stride + dimensions) * 4);

  Recorded recorded(device, plan);
  BufferHandle behind;
  CHECK_OK(proxel_buffer_create(device, offset + needed.rows.bytes, "upload", &behind));
  auto* to = reinterpret_cast<float*>(static_cast<char*>(proxel_buffer_mapped(behind)) + offset);
  for (std::uint64_t row = 0; row < rows; ++row) std::memcpy(to + row * stride, &database(row, 0), dimensions * 4);
  recorded.buffers.rows = {behind, offset, 0};
  recorded.write(recorded.buffers.queries, asked.data());
  recorded.run();
  CHECK(recorded == expected_of(database, Metric::l2));
}

TEST_CASE("plans that cannot be, and recordings over the wrong buffers, are refused") {
  const DeviceHandle device = open("cpu"), other = open("cpu:reference");
  const IndexHandle index = make_index(device, "scan");
  PlanHandle plan, none;
  CHECK_FAILS(proxel_index_plan(index, 0, k, nullptr, &none), PROXEL_INVALID_ARGUMENT, "queries");
  CHECK_FAILS(proxel_index_plan(index, 1, 0, nullptr, &none), PROXEL_INVALID_ARGUMENT, "k");
  CHECK_FAILS(proxel_index_plan(index, 1, k, plan_by(""), &none), PROXEL_INVALID_ARGUMENT, "metric");
  CHECK_FAILS(proxel_index_plan(nullptr, 1, k, nullptr, &none), PROXEL_INVALID_ARGUMENT, "index");
  CHECK_FAILS(proxel_index_plan(index, 1, k, nullptr, nullptr), PROXEL_INVALID_ARGUMENT, "plan");
  proxel_plan_options options = PROXEL_PLAN_OPTIONS_INIT;
  options.filter = "some";
  CHECK_FAILS(proxel_index_plan(index, 1, k, &options, &none), PROXEL_INVALID_ARGUMENT, "filter");
  options = PROXEL_PLAN_OPTIONS_INIT;
  options.continued = 2;
  CHECK_FAILS(proxel_index_plan(index, 1, k, &options, &none), PROXEL_INVALID_ARGUMENT, "continued");

  CHECK_OK(proxel_index_plan(index, queries, k, nullptr, &plan));
  Recorded recorded(device, plan);
  RecordingHandle recording, foreign;
  CHECK_OK(proxel_recording_create(device, nullptr, &recording));
  CHECK_FAILS(proxel_plan_record(plan, recording, &recorded.buffers), PROXEL_INVALID_ARGUMENT, "recording");
  CHECK_OK(proxel_recording_begin(recording));
  CHECK_OK(proxel_recording_create(other, nullptr, &foreign));
  CHECK_OK(proxel_recording_begin(foreign));
  CHECK_FAILS(proxel_plan_record(plan, foreign, &recorded.buffers), PROXEL_INVALID_ARGUMENT, "recording");
  CHECK_FAILS(proxel_plan_record(nullptr, recording, &recorded.buffers), PROXEL_INVALID_ARGUMENT, "plan");
  CHECK_FAILS(proxel_plan_record(plan, nullptr, &recorded.buffers), PROXEL_INVALID_ARGUMENT, "recording");
  CHECK_FAILS(proxel_plan_record(plan, recording, nullptr), PROXEL_INVALID_ARGUMENT, "buffers");
  const auto record = [&](proxel_buffer_view proxel_search_buffers::* member, const proxel_buffer_view& view) {
    proxel_search_buffers buffers = recorded.buffers;
    buffers.*member = view;
    return proxel_plan_record(plan, recording, &buffers);
  };
  BufferHandle small, elsewhere;
  CHECK_OK(proxel_buffer_create(device, 4, nullptr, &small));
  CHECK_OK(proxel_buffer_create(other, 1 << 22, nullptr, &elsewhere));
  struct Member {
    proxel_buffer_view proxel_search_buffers::* member;
    const char* name;
  };
  for (const auto& [member, name] : {Member{&proxel_search_buffers::queries, "queries buffer"},
                                     Member{&proxel_search_buffers::scratch, "scratch buffer"},
                                     Member{&proxel_search_buffers::indices, "indices buffer"},
                                     Member{&proxel_search_buffers::distances, "distances buffer"}}) {
    CHECK_FAILS(record(member, {nullptr, 0, 0}), PROXEL_INVALID_ARGUMENT, name);
    CHECK_FAILS(record(member, {small, 0, 0}), PROXEL_INVALID_ARGUMENT, name);
    CHECK_FAILS(record(member, {small, 4, 4}), PROXEL_INVALID_ARGUMENT, name);
    CHECK_FAILS(record(member, {elsewhere, 0, 0}), PROXEL_INVALID_ARGUMENT, name);
    CHECK_FAILS(record(member, {recorded.buffers.scratch.buffer, 2, 0}), PROXEL_INVALID_ARGUMENT, name);
  }
  proxel_search_buffers buffers = recorded.buffers;
  buffers.after_stride = std::uint64_t{1} << 32;
  CHECK_FAILS(proxel_plan_record(plan, recording, &buffers), PROXEL_INVALID_ARGUMENT, "after stride");

  // What is recorded after a refusal is all that is recorded.
  recorded.write(recorded.buffers.queries, asked.data());
  CHECK_OK(proxel_plan_record(plan, recording, &recorded.buffers));
  CHECK_OK(proxel_recording_end(recording));
  CHECK_OK(proxel_device_submit(device, recording));
  CHECK_OK(proxel_device_wait(device));
  CHECK(recorded == expected_of(database, Metric::l2sq));

  // Rows change, and plans made before end.
  const proxel_matrix more = c_matrix(asked);
  CHECK_OK(proxel_index_add(index, of(more), nullptr, nullptr, nullptr));
  CHECK_OK(proxel_recording_begin(recording));
  CHECK_FAILS(proxel_plan_record(plan, recording, &recorded.buffers), PROXEL_INVALID_ARGUMENT, "plan");

  const proxel_rung* rungs = nullptr;
  std::uint64_t count = 0;
  CHECK_FAILS(proxel_plan_get_rungs(nullptr, &rungs, &count), PROXEL_INVALID_ARGUMENT, "plan");
  CHECK_FAILS(proxel_plan_get_rungs(plan, nullptr, &count), PROXEL_INVALID_ARGUMENT, "rungs");
  CHECK_FAILS(proxel_plan_get_rungs(plan, &rungs, nullptr), PROXEL_INVALID_ARGUMENT, "count");
}

TEST_CASE("plans of rows that cannot be are refused") {
  const DeviceHandle device = open("cpu");
  PlanHandle plan;
  const auto make = [&](const proxel_rows_description& description, const char* metric = "l2") {
    return proxel_rows_plan(device, &description, queries, k, plan_by(metric), &plan);
  };
  CHECK_FAILS(make(describe("fused")), PROXEL_INVALID_ARGUMENT, "method");
  CHECK_FAILS(make(describe("scan"), "cosine"), PROXEL_UNSUPPORTED, "metric");
  CHECK_FAILS(make(describe("bvh"), "ip"), PROXEL_UNSUPPORTED, "method");
  proxel_rows_description description = describe("bvh");
  description.dimensions = 100;
  CHECK_FAILS(make(description), PROXEL_UNSUPPORTED, "method");
  description = describe("scan");
  description.rows = 0;
  CHECK_FAILS(make(description), PROXEL_INVALID_ARGUMENT, "rows");
  description = describe("scan");
  for (const std::uint64_t given : {std::uint64_t{0}, std::uint64_t{1} << 32}) {
    description.dimensions = given;
    CHECK_FAILS(make(description), PROXEL_INVALID_ARGUMENT, "dimensions");
  }
  description = describe("scan");
  description.row_stride = std::uint64_t{1} << 32;
  CHECK_FAILS(make(description), PROXEL_INVALID_ARGUMENT, "row_stride");
  description.row_stride = 1u << 30;
  CHECK_FAILS(make(description), PROXEL_UNSUPPORTED, "rows layout");
  description = describe("scan");
  proxel_plan_options options = PROXEL_PLAN_OPTIONS_INIT;
  options.fraction = 0.5;
  CHECK_FAILS(proxel_rows_plan(device, &description, queries, k, &options, &plan), PROXEL_UNSUPPORTED, "fraction");
  options = PROXEL_PLAN_OPTIONS_INIT;
  options.longest_query = 1;
  CHECK_FAILS(proxel_rows_plan(device, &description, queries, k, &options, &plan), PROXEL_UNSUPPORTED, "longest_query");
  CHECK_FAILS(proxel_rows_plan(device, &description, queries, 0, nullptr, &plan), PROXEL_INVALID_ARGUMENT, "k");
  CHECK_FAILS(proxel_rows_plan(device, &description, 0, k, nullptr, &plan), PROXEL_INVALID_ARGUMENT, "queries");
  CHECK_FAILS(proxel_rows_plan(device, nullptr, queries, k, nullptr, &plan), PROXEL_INVALID_ARGUMENT, "rows");
  CHECK_FAILS(proxel_rows_plan(nullptr, &description, queries, k, nullptr, &plan), PROXEL_INVALID_ARGUMENT, "device");
  CHECK_FAILS(proxel_rows_plan(device, &description, queries, k, nullptr, nullptr), PROXEL_INVALID_ARGUMENT, "plan");
  CHECK(plan == nullptr);

  description = describe("scan");
  CHECK_OK(make(description));
  Recorded recorded(device, plan);
  RecordingHandle recording;
  CHECK_OK(proxel_recording_create(device, nullptr, &recording));
  CHECK_OK(proxel_recording_begin(recording));
  recorded.buffers.rows.bytes = rows * dimensions * 4 - 4;
  CHECK_FAILS(proxel_plan_record(plan, recording, &recorded.buffers), PROXEL_INVALID_ARGUMENT, "rows buffer");
  recorded.buffers.rows = {nullptr, 0, 0};
  CHECK_FAILS(proxel_plan_record(plan, recording, &recorded.buffers), PROXEL_INVALID_ARGUMENT, "rows buffer");
}
