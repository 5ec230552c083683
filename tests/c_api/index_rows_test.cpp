// What an index of vectors is made from, and how its rows change.
#include <array>

#include "index_data.hpp"

using namespace proxel;
using namespace proxel::c_test;

TEST_CASE("rows are added, removed and taken out") {
  Both both;
  const Matrix<float> more = random_matrix(40, dimensions, 7);
  const proxel_matrix c_more = c_matrix(more);
  std::uint64_t first = 0, removed = 0;
  Counter counter;
  CHECK_OK(proxel_index_add(both.c, of(c_more), Counter::call, &counter, &first));
  CHECK(first == both.cpp.add(more.view()));
  CHECK(counter.calls > 0);
  const std::uint32_t numbers[] = {3, 510, 3, 0};
  CHECK_OK(proxel_index_remove(both.c, numbers, 4, &removed));
  CHECK(removed == both.cpp.remove(numbers));
  const auto compare = [&] {
    AnswerHandle found;
    CHECK_OK(proxel_index_search(both.c, of(both.c_queries), k, by("ip"), &found));
    CHECK(same(found, both.cpp.search(both.asked.view(), k, Metric::ip)));
    proxel_index_info info = PROXEL_INDEX_INFO_INIT;
    CHECK_OK(proxel_index_get_info(both.c, &info));
    CHECK(info.size + info.removed == both.cpp.rows());
    CHECK(info.removed == both.cpp.removed_rows());
  };
  compare();
  std::vector<std::uint32_t> now(540, 7);
  CHECK_FAILS(proxel_index_compact(both.c, nullptr, nullptr, now.data(), 539), PROXEL_INVALID_ARGUMENT, "slots");
  CHECK_OK(proxel_index_compact(both.c, nullptr, nullptr, now.data(), 540));
  CHECK(now == both.cpp.compact());
  compare();

  CHECK(proxel_index_remove(both.c, std::array{std::uint32_t{9999}}.data(), 1, nullptr) == PROXEL_INVALID_ARGUMENT);
  CHECK_FAILS(proxel_index_remove(both.c, nullptr, 1, nullptr), PROXEL_INVALID_ARGUMENT, "numbers");
  CHECK_OK(proxel_index_remove(both.c, nullptr, 0, nullptr));
  CHECK_OK(proxel_index_add(both.c, of(c_more), nullptr, nullptr, nullptr));
  both.cpp.add(more.view());
  compare();
}

TEST_CASE("a compaction that is cancelled says so, and the index is what it was") {
  Both both;
  const std::uint32_t number = 0;
  CHECK_OK(proxel_index_remove(both.c, &number, 1, nullptr));
  both.cpp.remove(std::array{number});
  Counter counter;
  counter.end_at = 1;
  CHECK_FAILS(proxel_index_compact(both.c, Counter::call, &counter, nullptr, 0), PROXEL_CANCELLED, "progress");
  AnswerHandle found;
  CHECK_OK(proxel_index_search(both.c, of(both.c_queries), k, by("l1"), &found));
  CHECK(same(found, both.cpp.search(both.asked.view(), k, Metric::l1)));
}

TEST_CASE("an index whose upload is cancelled is none, on every device") {
  for (const std::string& id : device_ids()) {
    CAPTURE(id);
    const DeviceHandle device = open(id);
    const Matrix<float> database = random_matrix(rows, dimensions, 1);
    const proxel_matrix view = c_matrix(database);
    Counter counter;
    counter.end_at = 1;
    proxel_index_options options = PROXEL_INDEX_OPTIONS_INIT;
    options.progress = Counter::call;
    options.progress_user = &counter;
    IndexHandle index;
    CHECK_FAILS(proxel_index_create(device, of(view), &options, &index), PROXEL_CANCELLED, "progress");
    CHECK(index == nullptr);
    CHECK_OK(proxel_index_create(device, of(view), &options, &index));
  }
}

TEST_CASE("rows as they are stored") {
  const DeviceHandle device = open("cpu");
  const auto own = open_device("cpu");
  std::vector<std::int8_t> bytes(rows * 8);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::int8_t>(i * 37 % 251);
  const Matrix<float> asked = random_matrix(queries, dimensions, 2);
  const proxel_matrix c_queries = c_matrix(asked);
  proxel_stored_rows stored = PROXEL_STORED_ROWS_INIT;
  stored.data = bytes.data();
  stored.type = "int8";
  stored.rows = rows;
  stored.columns = dimensions;
  stored.row_bytes = 8;
  IndexHandle index;
  CHECK_OK(proxel_index_create(device, of(stored), nullptr, &index));
  const ElementsView view{bytes.data(), ElementType::int8, rows, dimensions, 8};
  Index cpp(*own, view, {.storage = ElementType::int8});
  AnswerHandle found;
  CHECK_OK(proxel_index_search(index, of(c_queries), k, by("l2sq"), &found));
  CHECK(same(found, cpp.search(asked.view(), k, Metric::l2sq)));
  proxel_index_info info = PROXEL_INDEX_INFO_INIT;
  CHECK_OK(proxel_index_get_info(index, &info));
  CHECK(info.block_rows == cpp.block_rows());

  // Floats may be stored as something narrower.
  const Matrix<float> database = random_matrix(rows, dimensions, 1);
  const proxel_matrix c_rows = c_matrix(database);
  proxel_index_options options = PROXEL_INDEX_OPTIONS_INIT;
  options.storage = "float16";
  index.reset();
  CHECK_OK(proxel_index_create(device, of(c_rows), &options, &index));
  Index narrow(*own, database.view(), {.storage = ElementType::float16});
  CHECK_OK(proxel_index_search(index, of(c_queries), k, by("l2sq"), &found));
  CHECK(same(found, narrow.search(asked.view(), k, Metric::l2sq)));

  IndexHandle none;
  CHECK_FAILS(proxel_index_create(device, of(stored), &options, &none), PROXEL_INVALID_ARGUMENT, "storage");
  stored.type = "int32";
  CHECK_FAILS(proxel_index_create(device, of(stored), nullptr, &none), PROXEL_INVALID_ARGUMENT, "type");
  stored.type = "float32";
  stored.row_bytes = 26;
  CHECK_FAILS(proxel_index_create(device, of(stored), nullptr, &none), PROXEL_INVALID_ARGUMENT, "row_bytes");
  stored.row_bytes = UINT64_MAX - 3;
  CHECK_FAILS(proxel_index_create(device, of(stored), nullptr, &none), PROXEL_INVALID_ARGUMENT, "row_bytes");
  stored.row_bytes = static_cast<std::uint64_t>(-24);
  CHECK_FAILS(proxel_index_create(device, of(stored), nullptr, &none), PROXEL_INVALID_ARGUMENT, "row_bytes");
  stored.row_bytes = 0;
  CHECK_FAILS(proxel_index_create(device, of(stored), nullptr, &none), PROXEL_INVALID_ARGUMENT, "row_bytes");
  stored.row_bytes = 4;
  CHECK_FAILS(proxel_index_create(device, of(stored), nullptr, &none), PROXEL_INVALID_ARGUMENT, "row_bytes");
  stored.row_bytes = PROXEL_CONTIGUOUS;
  stored.data = bytes.data() + (reinterpret_cast<std::uintptr_t>(bytes.data()) % 2 == 0 ? 1 : 0);
  CHECK_FAILS(proxel_index_create(device, of(stored), nullptr, &none), PROXEL_INVALID_ARGUMENT, "data");
  stored.data = bytes.data();
  stored.columns = UINT64_MAX;
  CHECK_FAILS(proxel_index_create(device, of(stored), nullptr, &none), PROXEL_INVALID_ARGUMENT, "columns");
  stored.columns = dimensions;
  stored.data = nullptr;
  CHECK_FAILS(proxel_index_create(device, of(stored), nullptr, &none), PROXEL_INVALID_ARGUMENT, "database");
  CHECK(none == nullptr);
}

TEST_CASE("rows that do not fit are streamed") {
  const Matrix<float> database = random_matrix(rows, dimensions, 1);
  const proxel_matrix c_rows = c_matrix(database);
  const DeviceHandle device = open("cpu");
  const auto own = open_device("cpu");
  proxel_index_options options = PROXEL_INDEX_OPTIONS_INIT;
  options.memory_limit = 2 * 128 * dimensions * 4;
  IndexHandle index;
  CHECK_OK(proxel_index_create(device, of(c_rows), &options, &index));
  Index cpp(*own, database.view(), {.memory_limit = 2 * 128 * dimensions * 4});
  AnswerHandle found;
  CHECK_OK(proxel_index_search(index, of(c_rows), k, by("l1"), &found));
  CHECK(same(found, cpp.search(database.view(), k, Metric::l1)));
  proxel_index_info info = PROXEL_INDEX_INFO_INIT;
  CHECK_OK(proxel_index_get_info(index, &info));
  CHECK(info.block_rows == cpp.block_rows());
  CHECK(info.block_rows != 0);

  options.pinned = 1;
  IndexHandle pinned;
  AnswerHandle again;
  CHECK_OK(proxel_index_create(device, of(c_rows), &options, &pinned));
  CHECK_OK(proxel_index_search(pinned, of(c_rows), k, by("l1"), &again));
  CHECK(same(again, cpp.search(database.view(), k, Metric::l1)));
  options.pinned = 2;
  IndexHandle none;
  CHECK_FAILS(proxel_index_create(device, of(c_rows), &options, &none), PROXEL_INVALID_ARGUMENT, "pinned");
}

TEST_CASE("an index that cannot be is refused") {
  const DeviceHandle device = open("cpu");
  const Matrix<float> database = random_matrix(rows, dimensions, 1);
  proxel_matrix view = c_matrix(database);
  IndexHandle index;
  const auto create = [&](const proxel_index_options& options) {
    return proxel_index_create(device, of(view), &options, &index);
  };
  proxel_index_options options = PROXEL_INDEX_OPTIONS_INIT;
  options.method = "hnsw";
  CHECK_FAILS(create(options), PROXEL_INVALID_ARGUMENT, "method");
  options = PROXEL_INDEX_OPTIONS_INIT;
  options.timing = "often";
  CHECK_FAILS(create(options), PROXEL_INVALID_ARGUMENT, "timing");
  options = PROXEL_INDEX_OPTIONS_INIT;
  proxel_paper_options papers = PROXEL_PAPER_OPTIONS_INIT;
  options.papers = &papers;
  papers.row_selection = "bubble";
  CHECK_FAILS(create(options), PROXEL_INVALID_ARGUMENT, "row_selection");
  papers = PROXEL_PAPER_OPTIONS_INIT;
  options.method = "texel";
  papers.dimensions_per_pass = 17;
  CHECK_FAILS(create(options), PROXEL_INVALID_ARGUMENT, "dimensions_per_pass");
  papers.struct_size = 1;
  CHECK_FAILS(create(options), PROXEL_INVALID_ARGUMENT, "papers");
  options = PROXEL_INDEX_OPTIONS_INIT;
  options.scratch_limit = 5;
  CHECK_FAILS(create(options), PROXEL_INVALID_ARGUMENT, "scratch_limit");
  CHECK_FAILS(proxel_index_create(nullptr, of(view), nullptr, &index), PROXEL_INVALID_ARGUMENT, "device");
  CHECK_FAILS(proxel_index_create(device, nullptr, nullptr, &index), PROXEL_INVALID_ARGUMENT, "rows");
  CHECK_FAILS(proxel_index_create(device, of(view), nullptr, nullptr), PROXEL_INVALID_ARGUMENT, "index");
  view.rows = 0;
  CHECK_FAILS(proxel_index_create(device, of(view), nullptr, &index), PROXEL_INVALID_ARGUMENT, "rows");
  view.rows = 1;
  view.columns = 0;
  CHECK_FAILS(proxel_index_create(device, of(view), nullptr, &index), PROXEL_INVALID_ARGUMENT, "dimensions");
  CHECK(index == nullptr);
}
