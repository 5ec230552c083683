// Searches of feature signatures on several devices.
#include "proxel/papers/krulis.hpp"

#include <algorithm>

#include "signature_data.hpp"

using namespace proxel;
using namespace proxel::c_test;

TEST_CASE("signatures are found on several devices as in C++, by every filter") {
  constexpr std::uint64_t k = 5;
  constexpr std::uint32_t queries = 6;
  const Signatures known = random_signatures(90, 1), wanted = random_signatures(queries, 2);
  const proxel_signatures c_known = c_signatures(known), c_wanted = c_signatures(wanted);
  for (const char* filter : {"none", "pivots", "ptolemaic"}) {
    CAPTURE(filter);
    std::vector<DeviceHandle> handles;
    std::vector<proxel_device*> devices;
    std::vector<std::unique_ptr<Device>> own;
    std::vector<Device*> used;
    for (const std::string& id : device_ids()) {
      handles.push_back(open(id));
      devices.push_back(handles.back());
      own.push_back(open_device(id));
      used.push_back(own.back().get());
    }
    KrulisOptions cpp_options;
    cpp_options.filter = signature_filter_from_string(filter);
    cpp_options.pivot_count = 9;
    KrulisIndex cpp(used, known, cpp_options);
    proxel_krulis_options options = PROXEL_KRULIS_OPTIONS_INIT;
    options.filter = filter;
    options.pivot_count = 9;
    KrulisHandle index;
    CHECK_OK(proxel_krulis_index_create(devices.data(), devices.size(), &c_known, &options, &index));
    handles.clear();  // an index keeps its devices

    Found found(queries, k);
    CHECK_OK(proxel_krulis_index_search(index, &c_wanted, k, nullptr, nullptr, found.indices.data(),
                                        found.distances.data(), found.slots));
    CHECK(found == cpp.search(wanted, k));
    MatchesHandle matches;
    CHECK_OK(proxel_krulis_index_range_search(index, &c_wanted, 0.3f, nullptr, nullptr, &matches));
    CHECK(same(matches, cpp.range_search(wanted, 0.3f)));
    std::vector<float> all(queries * 90);
    CHECK_OK(proxel_krulis_index_distances(index, &c_wanted, all.data(), all.size()));
    CHECK(std::memcmp(all.data(), cpp.distances(wanted).values.data(), all.size() * 4) == 0);

    proxel_krulis_index_info info = PROXEL_KRULIS_INDEX_INFO_INIT;
    CHECK_OK(proxel_krulis_index_get_info(index, &info));
    CHECK(info.size == 90);
    CHECK(info.dimensions == signature_dimensions);
    CHECK(info.pivot_count == cpp.pivots().size());
    CHECK(std::equal(cpp.pivots().begin(), cpp.pivots().end(), info.pivots));
    proxel_krulis_times times = PROXEL_KRULIS_TIMES_INIT;
    CHECK_OK(proxel_krulis_index_get_times(index, &times));
    CHECK(times.pairs == queries * 90);
    CHECK(times.device_count == devices.size());
    std::uint64_t blocks = 0;
    for (std::uint64_t i = 0; i < times.device_count; ++i) blocks += times.blocks[i];
    CHECK(blocks > 0);
  }
}

TEST_CASE("an index over several devices says what it cannot be, and cannot do") {
  const Signatures known = random_signatures(20, 1);
  const proxel_signatures c_known = c_signatures(known);
  const DeviceHandle device = open("cpu");
  proxel_device* const devices[] = {device, nullptr};
  KrulisHandle index, none;
  proxel_krulis_options options = PROXEL_KRULIS_OPTIONS_INIT;
  const auto make = [&](std::uint64_t count) {
    return proxel_krulis_index_create(devices, count, &c_known, &options, &none);
  };
  CHECK_FAILS(make(0), PROXEL_INVALID_ARGUMENT, "devices");
  CHECK_FAILS(make(65), PROXEL_INVALID_ARGUMENT, "devices");
  CHECK_FAILS(make(2), PROXEL_INVALID_ARGUMENT, "devices");
  CHECK_FAILS(proxel_krulis_index_create(nullptr, 1, &c_known, nullptr, &none), PROXEL_INVALID_ARGUMENT, "devices");
  CHECK_FAILS(proxel_krulis_index_create(devices, 1, &c_known, nullptr, nullptr), PROXEL_INVALID_ARGUMENT, "index");
  options.precision = "half";
  CHECK_FAILS(make(1), PROXEL_INVALID_ARGUMENT, "precision");
  options = PROXEL_KRULIS_OPTIONS_INIT;
  options.filter = "fast";
  CHECK(make(1) == PROXEL_INVALID_ARGUMENT);
  options = PROXEL_KRULIS_OPTIONS_INIT;
  options.alpha = -1;
  CHECK(make(1) == PROXEL_INVALID_ARGUMENT);
  CHECK(none == nullptr);
  CHECK_OK(proxel_krulis_index_create(devices, 1, &c_known, nullptr, &index));
  float room[4];
  std::uint32_t indices[4];
  CHECK_FAILS(proxel_krulis_index_distances(index, &c_known, room, 4), PROXEL_INVALID_ARGUMENT, "slots");
  CHECK_FAILS(proxel_krulis_index_search(index, &c_known, 1, nullptr, nullptr, indices, room, 4),
              PROXEL_INVALID_ARGUMENT, "slots");
  proxel_krulis_times times = PROXEL_KRULIS_TIMES_INIT;
  CHECK_FAILS(proxel_krulis_index_get_times(nullptr, &times), PROXEL_INVALID_ARGUMENT, "index");
}
