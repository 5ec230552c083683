// Indexes of vectors that are saved and loaded.
#include <cstring>

#include "index_data.hpp"

using namespace proxel;
using namespace proxel::c_test;

namespace {

bool same_bits(const proxel_answer* one, const proxel_answer* other) {
  proxel_answer_view a = PROXEL_ANSWER_VIEW_INIT, b = PROXEL_ANSWER_VIEW_INIT;
  CHECK_OK(proxel_answer_get(one, &a));
  CHECK_OK(proxel_answer_get(other, &b));
  return a.queries == b.queries && a.columns == b.columns && a.queries * a.columns == queries * k &&
         std::memcmp(a.indices, b.indices, queries * k * 4) == 0 &&
         std::memcmp(a.distances, b.distances, queries * k * 4) == 0;
}

}  // namespace

TEST_CASE("an index of every storage type is the same file from every device, and answers the same from it") {
  const TemporaryFile path("proxel_c_saved.index");
  const Matrix<float> rows = random_matrix(700, dimensions, 3), asked = random_matrix(queries, dimensions, 4);
  const proxel_matrix c_asked = c_matrix(asked);
  std::vector<float> floats(rows.data(), rows.data() + 700 * dimensions);
  const std::uint32_t special[] = {1, 0x80000000u, 0x7F800001u, 0xFFC12345u, 0x807FFFFFu};
  std::memcpy(floats.data() + 50, special, sizeof special);
  std::vector<std::uint16_t> halves(floats.size());
  std::vector<std::int8_t> bytes(floats.size());
  for (std::size_t i = 0; i < floats.size(); ++i) {
    halves[i] = static_cast<std::uint16_t>(0x3000 + i * 7919 % 0x1000);
    bytes[i] = static_cast<std::int8_t>(i * 7919);
  }
  for (const auto& [type, data, width] : {std::tuple("float32", static_cast<const void*>(floats.data()), 4ul),
                                          std::tuple("float16", static_cast<const void*>(halves.data()), 2ul),
                                          std::tuple("int8", static_cast<const void*>(bytes.data()), 1ul),
                                          std::tuple("uint8", static_cast<const void*>(bytes.data()), 1ul)}) {
    CAPTURE(type);
    proxel_stored_rows stored = PROXEL_STORED_ROWS_INIT;
    stored.data = data;
    stored.type = type;
    stored.rows = 700;
    stored.columns = dimensions;
    stored.row_bytes = dimensions * width;
    std::string first_file;
    for (const std::string& id : device_ids()) {
      CAPTURE(id);
      const DeviceHandle device = open(id);
      IndexHandle index, loaded;
      CHECK_OK(proxel_index_create(device, of(stored), nullptr, &index));
      CHECK_OK(proxel_index_save(index, path));
      if (first_file.empty()) first_file = path.bytes();
      CHECK(path.bytes() == first_file);
      int saved = -1;
      CHECK_OK(proxel_index_is_saved(path, &saved));
      CHECK(saved == 1);
      Counter counter;
      proxel_index_options options = PROXEL_INDEX_OPTIONS_INIT;
      options.progress = Counter::call;
      options.progress_user = &counter;
      CHECK_OK(proxel_index_load(device, path, &options, &loaded));
      CHECK(counter.calls > 0);
      proxel_index_info info = PROXEL_INDEX_INFO_INIT;
      CHECK_OK(proxel_index_get_info(loaded, &info));
      CHECK(std::string(info.kind) == "vectors");
      CHECK(std::string(info.storage) == type);
      CHECK(info.size == 700);
      CHECK(info.dimensions == dimensions);
      for (const char* metric : {"l1", "l2sq", "ip", "cosine"}) {
        AnswerHandle found, again;
        CHECK_OK(proxel_index_search(index, of(c_asked), k, by(metric), &found));
        CHECK_OK(proxel_index_search(loaded, of(c_asked), k, by(metric), &again));
        CHECK(same_bits(found, again));
      }
    }
  }
}

TEST_CASE("a loaded index goes on as the saved one, removed rows and all") {
  const TemporaryFile path("proxel_c_saved_on.index");
  Both both;
  const std::uint32_t numbers[] = {3, 499, 0};
  CHECK_OK(proxel_index_remove(both.c, numbers, 3, nullptr));
  both.cpp.remove(numbers);
  CHECK_OK(proxel_index_save(both.c, path));
  both.c.reset();
  CHECK_OK(proxel_index_load(both.device, path, nullptr, &both.c));
  const auto compare = [&] {
    AnswerHandle found;
    CHECK_OK(proxel_index_search(both.c, of(both.c_queries), k, by("ip"), &found));
    CHECK(same(found, both.cpp.search(both.asked.view(), k, Metric::ip)));
    proxel_index_info info = PROXEL_INDEX_INFO_INIT;
    CHECK_OK(proxel_index_get_info(both.c, &info));
    CHECK(info.removed == both.cpp.removed_rows());
  };
  compare();
  CHECK_OK(proxel_index_compact(both.c, nullptr, nullptr, nullptr, 0));
  both.cpp.compact();
  compare();
  // Streamed from the file, which may be gone from its folder.
  CHECK_OK(proxel_index_save(both.c, path));
  proxel_index_options options = PROXEL_INDEX_OPTIONS_INIT;
  options.memory_limit = 8192;
  CHECK_OK(proxel_index_load(both.device, path, &options, &both.c));
  std::filesystem::remove(static_cast<const char*>(path));
  proxel_index_info info = PROXEL_INDEX_INFO_INIT;
  CHECK_OK(proxel_index_get_info(both.c, &info));
  CHECK(info.block_rows != 0);
  compare();
}

TEST_CASE("what is no saved index of vectors, and arguments that are wrong, are refused") {
  const TemporaryFile path("proxel_c_saved_wrong.index");
  Both both;
  IndexHandle none;
  int saved = -1;
  CHECK_FAILS(proxel_index_load(both.device, "/no/such/file", nullptr, &none), PROXEL_NOT_FOUND, "/no/such/file");
  CHECK_FAILS(proxel_index_load(both.device, nullptr, nullptr, &none), PROXEL_INVALID_ARGUMENT, "path");
  CHECK_FAILS(proxel_index_load(nullptr, path, nullptr, &none), PROXEL_INVALID_ARGUMENT, "device");
  CHECK_FAILS(proxel_index_load(both.device, path, nullptr, nullptr), PROXEL_INVALID_ARGUMENT, "index");
  CHECK_FAILS(proxel_index_is_saved(nullptr, &saved), PROXEL_INVALID_ARGUMENT, "path");
  CHECK_FAILS(proxel_index_is_saved(path, nullptr), PROXEL_INVALID_ARGUMENT, "saved");
  CHECK_FAILS(proxel_index_is_saved("/no/such/file", &saved), PROXEL_NOT_FOUND, "/no/such/file");
  CHECK_FAILS(proxel_index_save(both.c, nullptr), PROXEL_INVALID_ARGUMENT, "path");
  CHECK(proxel_index_save(both.c, "/no/such/folder/file") == PROXEL_INPUT_OUTPUT);
  CHECK_OK(proxel_index_save(both.c, path));
  proxel_index_options options = PROXEL_INDEX_OPTIONS_INIT;
  options.storage = "float32";
  CHECK_FAILS(proxel_index_load(both.device, path, &options, &none), PROXEL_INVALID_ARGUMENT, "storage");
  options.storage = nullptr;
  Counter counter;
  counter.end_at = 1;
  options.progress = Counter::call;
  options.progress_user = &counter;
  CHECK_FAILS(proxel_index_load(both.device, path, &options, &none), PROXEL_CANCELLED, "progress");
  // A file of strings, by this function, and the other way round.
  CHECK(proxel_permutation_index_load(both.device, path, nullptr, &none) == PROXEL_UNSUPPORTED);
  const std::string whole = path.bytes();
  for (const std::size_t size : {whole.size() - 1, 90ul, 16ul, 15ul, 0ul}) {
    std::filesystem::resize_file(static_cast<const char*>(path), size);
    CHECK(proxel_index_load(both.device, path, nullptr, &none) == PROXEL_MALFORMED_FILE);
    CHECK_OK(proxel_index_is_saved(path, &saved));
    CHECK(saved == (size >= 16));
  }
  CHECK(none == nullptr);
}
