// An index over several devices answers in C as one index does in C++.
#include "proxel/sharded_index.hpp"

#include "index_data.hpp"
#include "proxel/permutation.hpp"
#include "proxel/signature_index.hpp"
#include "proxel/vector_permutation.hpp"
#include "signature_data.hpp"

using namespace proxel;
using namespace proxel::c_test;

namespace {

// Devices that are opened twice each, so that there are several wherever this runs.
struct Devices {
  std::vector<DeviceHandle> handles;
  std::vector<proxel_device*> all;
  Devices() {
    for (const std::string& id : device_ids())
      for (int i = 0; i < 2; ++i) {
        handles.push_back(open(id));
        all.push_back(handles.back());
      }
  }
};

}  // namespace

TEST_CASE("several devices find, change and join rows as one does") {
  for (const char* division : {"rows", "queries"}) {
    CAPTURE(division);
    Both one;
    Devices devices;
    proxel_sharded_options options = PROXEL_SHARDED_OPTIONS_INIT;
    options.division = division;
    const std::vector<double> shares(devices.all.size(), 2);
    options.shares = shares.data();
    options.share_count = shares.size();
    IndexHandle index;
    CHECK_OK(proxel_sharded_index_create(devices.all.data(), devices.all.size(), of(one.c_rows), &options, &index));
    devices.handles.clear();  // an index keeps its devices

    proxel_index_info info = PROXEL_INDEX_INFO_INIT;
    CHECK_OK(proxel_index_get_info(index, &info));
    CHECK(std::string(info.kind) == "sharded-vectors");
    CHECK(info.size == rows);
    CHECK(info.dimensions == dimensions);
    CHECK(std::string(info.storage) == "float32");
    std::uint64_t held = 0;
    double share = 0;
    for (std::uint64_t i = 0; i < shares.size(); ++i) {
      proxel_shard_info shard{};
      shard.struct_size = sizeof shard;
      CHECK_OK(proxel_sharded_index_get_shard(index, i, &shard));
      held += shard.rows;
      share += shard.share;
    }
    CHECK(share == doctest::Approx(1));
    CHECK(held == (std::string(division) == "rows" ? rows : rows * shares.size()));

    proxel_search_options by = PROXEL_SEARCH_OPTIONS_INIT;
    by.metric = "cosine";
    const auto check_searches = [&] {
      AnswerHandle found, matches, own, graph;
      CHECK_OK(proxel_index_search(index, of(one.c_queries), k, &by, &found));
      CHECK(same(found, one.cpp.search(one.asked.view(), k, Metric::cosine)));
      CHECK_OK(proxel_index_range_search(index, of(one.c_queries), 0.7f, &by, &matches));
      CHECK(same(matches, one.cpp.range_search(one.asked.view(), 0.7f, Metric::cosine)));
      if (one.cpp.removed_rows() != 0) return;
      CHECK_OK(proxel_index_knn_graph(index, k, nullptr, &graph));
      CHECK(same(graph, knn_graph(one.cpp, k, Metric::l2sq)));
    };
    check_searches();
    const std::vector<std::uint32_t> gone = {3, 200, 499};
    std::uint64_t removed = 0, first = 0;
    CHECK_OK(proxel_index_remove(index, gone.data(), gone.size(), &removed));
    CHECK(removed == one.cpp.remove(gone));
    CHECK_OK(proxel_index_add(index, of(one.c_queries), nullptr, nullptr, &first));
    CHECK(first == one.cpp.add(one.asked.view()));
    check_searches();
    std::vector<std::uint32_t> numbers(rows + queries);
    CHECK_OK(proxel_index_compact(index, nullptr, nullptr, numbers.data(), numbers.size()));
    CHECK(numbers == one.cpp.compact());
    check_searches();
  }
}

TEST_CASE("what several devices have not, and what is wrong with them, is said") {
  Both one;
  Devices devices;
  IndexHandle index;
  const auto create = [&](std::uint64_t count, const proxel_sharded_options* options) {
    return proxel_sharded_index_create(devices.all.data(), count, of(one.c_rows), options, &index);
  };
  CHECK(create(0, nullptr) == PROXEL_INVALID_ARGUMENT);
  CHECK(create(65, nullptr) == PROXEL_INVALID_ARGUMENT);
  proxel_sharded_options options = PROXEL_SHARDED_OPTIONS_INIT;
  options.division = "columns";
  CHECK(create(2, &options) == PROXEL_INVALID_ARGUMENT);
  options = PROXEL_SHARDED_OPTIONS_INIT;
  const double shares[] = {1, 2, 3};
  options.shares = shares;
  options.share_count = 3;
  CHECK(create(2, &options) == PROXEL_INVALID_ARGUMENT);
  CHECK_OK(create(2, nullptr));
  proxel_shard_info shard{};
  shard.struct_size = sizeof shard;
  CHECK(proxel_sharded_index_get_shard(index, 2, &shard) == PROXEL_INVALID_ARGUMENT);
  CHECK(proxel_sharded_index_get_shard(one.c, 0, &shard) == PROXEL_UNSUPPORTED);
  CHECK(proxel_index_save(index, "no.index") == PROXEL_UNSUPPORTED);
  const char* method = nullptr;
  CHECK(proxel_index_method_for(index, 1, 1, nullptr, &method) == PROXEL_UNSUPPORTED);
}

TEST_CASE("an index that was saved is loaded by several devices") {
  Both one;
  Devices devices;
  const TemporaryFile path("proxel_c_sharded.index");
  const std::uint32_t gone[] = {0, 7};
  std::uint64_t removed = 0;
  CHECK_OK(proxel_index_remove(one.c, gone, 2, &removed));
  CHECK_OK(proxel_index_save(one.c, path));
  proxel_sharded_options options = PROXEL_SHARDED_OPTIONS_INIT;
  proxel_index_options of_each = PROXEL_INDEX_OPTIONS_INIT;
  of_each.storage = "float32";
  options.index = &of_each;
  IndexHandle index;
  const auto load = [&](std::uint64_t count, const char* file) {
    return proxel_sharded_index_load(devices.all.data(), count, file, &options, &index);
  };
  CHECK(load(devices.all.size(), path) == PROXEL_INVALID_ARGUMENT);
  of_each.storage = nullptr;
  CHECK(load(0, path) == PROXEL_INVALID_ARGUMENT);
  CHECK(load(devices.all.size(), nullptr) == PROXEL_INVALID_ARGUMENT);
  CHECK(load(devices.all.size(), "none.index") == PROXEL_NOT_FOUND);
  CHECK_OK(load(devices.all.size(), path));
  one.cpp.remove(gone);
  AnswerHandle found;
  CHECK_OK(proxel_index_search(index, of(one.c_queries), k, nullptr, &found));
  CHECK(same(found, one.cpp.search(one.asked.view(), k, Metric::l2sq)));
}

TEST_CASE("several devices find strings, signatures and permutations as one does") {
  const auto device = open_device("cpu");
  const Words words(random_words(60, 1)), asked_words(random_words(5, 2));
  const Signatures images = random_signatures(50, 1), asked_images = random_signatures(4, 2);
  const Matrix<float> vectors = random_matrix(90, 4, 1), asked_vectors = random_matrix(6, 4, 2);
  const proxel_strings c_words = words.c(), c_asked_words = asked_words.c();
  const proxel_signatures c_images = c_signatures(images), c_asked_images = c_signatures(asked_images);
  const proxel_matrix c_vectors = c_matrix(vectors), c_asked_vectors = c_matrix(asked_vectors);
  Devices devices;
  const std::uint64_t count = devices.all.size();
  for (const char* division : {"rows", "queries"}) {
    CAPTURE(division);
    proxel_sharded_options divided = PROXEL_SHARDED_OPTIONS_INIT;
    divided.division = division;
    const std::vector<double> shares(count, 2);
    divided.shares = shares.data();
    divided.share_count = count;
    AnswerHandle found, matches, all;
    IndexHandle strings, signatures;

    proxel_string_options hamming = PROXEL_STRING_OPTIONS_INIT;
    hamming.distance = "hamming";
    StringIndex one(*device, words.strings, {.distance = StringDistance::hamming});
    CHECK_OK(proxel_sharded_string_index_create(devices.all.data(), count, of(c_words), &divided, &hamming, &strings));
    CHECK_OK(proxel_index_search(strings, of(c_asked_words), 7, nullptr, &found));
    CHECK(same(found, one.search(asked_words.strings, 7)));
    CHECK_OK(proxel_index_range_search(strings, of(c_asked_words), 4, nullptr, &matches));
    CHECK(same(matches, one.range_search(asked_words.strings, 4)));
    std::uint64_t first = 0;
    CHECK_OK(proxel_index_add(strings, of(c_asked_words), nullptr, nullptr, &first));
    CHECK(first == one.add(asked_words.strings));
    CHECK_OK(proxel_index_search(strings, of(c_asked_words), 7, nullptr, &found));
    CHECK(same(found, one.search(asked_words.strings, 7)));

    SignatureIndex of_images(*device, images);
    CHECK_OK(
        proxel_sharded_signature_index_create(devices.all.data(), count, of(c_images), &divided, nullptr, &signatures));
    CHECK_OK(proxel_index_search(signatures, of(c_asked_images), 7, nullptr, &found));
    CHECK(same(found, of_images.search(asked_images, 7)));
    CHECK_OK(proxel_index_range_search(signatures, of(c_asked_images), 0.5f, nullptr, &matches));
    CHECK(same(matches, of_images.range_search(asked_images, 0.5f)));
    proxel_shard_info shard{};
    shard.struct_size = sizeof shard;
    CHECK_OK(proxel_sharded_index_get_shard(signatures, count - 1, &shard));
    CHECK(shard.share == doctest::Approx(1.0 / static_cast<double>(count)));
  }
  proxel_permutation_options permuted = PROXEL_PERMUTATION_OPTIONS_INIT;
  permuted.permutants = 6;
  proxel_search_options with = PROXEL_SEARCH_OPTIONS_INIT;
  with.fraction = 0.4;
  VectorPermutationIndex one(*device, vectors.view(), Metric::l2sq, {.permutants = 6});
  IndexHandle index, none;
  CHECK_OK(
      proxel_sharded_permutation_index_create(devices.all.data(), count, of(c_vectors), nullptr, &permuted, &index));
  AnswerHandle found;
  CHECK_OK(proxel_index_search(index, of(c_asked_vectors), 5, &with, &found));
  CHECK(same(found, one.search(asked_vectors.view(), 5, 0.4)));
  proxel_sharded_options by_rows = PROXEL_SHARDED_OPTIONS_INIT;
  by_rows.division = "rows";
  CHECK_FAILS(
      proxel_sharded_permutation_index_create(devices.all.data(), count, of(c_vectors), &by_rows, &permuted, &none),
      PROXEL_UNSUPPORTED, "division");
  const proxel_index_options of_vectors = PROXEL_INDEX_OPTIONS_INIT;
  by_rows.index = &of_vectors;
  CHECK_FAILS(proxel_sharded_string_index_create(devices.all.data(), count, of(c_words), &by_rows, nullptr, &none),
              PROXEL_UNSUPPORTED, "index");
  CHECK_FAILS(proxel_sharded_string_index_create(devices.all.data(), count, of(c_images), nullptr, nullptr, &none),
              PROXEL_INVALID_ARGUMENT, "strings");
}
