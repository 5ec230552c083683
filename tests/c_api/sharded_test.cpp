// An index over several devices answers in C as one index does in C++.
#include "proxel/sharded_index.hpp"

#include "index_data.hpp"

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
