// Exact searches of feature signatures.
#include <cmath>

#include "proxel/signature_index.hpp"
#include "signature_data.hpp"

using namespace proxel;
using namespace proxel::c_test;

namespace {

constexpr std::uint32_t dimensions = signature_dimensions;
constexpr std::uint64_t k = 4;

}  // namespace

TEST_CASE("signatures are found as in C++, by every similarity") {
  const Signatures database = random_signatures(60, 1), asked = random_signatures(7, 2);
  const proxel_signatures c_database = c_signatures(database), c_asked = c_signatures(asked);
  for (const std::string& id : device_ids())
    for (const char* similarity : {"gaussian", "minus", "heuristic"}) {
      CAPTURE(id);
      CAPTURE(similarity);
      const DeviceHandle device = open(id);
      const auto own = open_device(id);
      proxel_signature_options options = PROXEL_SIGNATURE_OPTIONS_INIT;
      options.similarity = similarity;
      options.alpha = 0.5;
      SignatureIndexHandle index;
      CHECK_OK(proxel_signature_index_create(device, &c_database, &options, &index));
      SignatureIndex cpp(*own, database, {.similarity = {similarity_from_string(similarity), 0.5f}});

      Found found(7, k);
      Counter counter;
      CHECK_OK(proxel_signature_index_search(index, &c_asked, k, Counter::call, &counter, found.indices.data(),
                                             found.distances.data(), found.slots));
      const Neighbors expected = cpp.search(asked, k);
      CHECK(found == expected);
      CHECK(counter.calls > 0);
      proxel_signature_index_info info = PROXEL_SIGNATURE_INDEX_INFO_INIT;
      CHECK_OK(proxel_signature_index_get_info(index, &info));
      CHECK(info.size == 60);
      CHECK(info.dimensions == dimensions);
      CHECK(std::string(info.similarity) == similarity);
      CHECK(info.alpha == 0.5);
      CHECK(info.method == expected.report.method);
      CHECK(info.evaluated == expected.report.evaluated);
      CHECK(info.build_milliseconds > 0);
      proxel_times times = PROXEL_TIMES_INIT;
      CHECK_OK(proxel_signature_index_get_times(index, &times));
      CHECK(plausible(times));
      MatchesHandle matches;
      CHECK_OK(proxel_signature_index_range_search(index, &c_asked, 0.5f, nullptr, nullptr, &matches));
      CHECK(same(matches, cpp.range_search(asked, 0.5f)));
      std::vector<float> distances(7 * 60 + 1, -77);
      CHECK_OK(proxel_signature_index_distances(index, &c_asked, nullptr, nullptr, distances.data(), 7 * 60));
      CHECK(std::memcmp(distances.data(), cpp.distances(asked).values.data(), 7 * 60 * 4) == 0);
      CHECK(distances.back() == -77);
    }
}

TEST_CASE("signatures that cannot be searched are refused") {
  const DeviceHandle device = open("cpu");
  const Signatures database = random_signatures(10, 1);
  const proxel_signatures c_database = c_signatures(database);
  SignatureIndexHandle index, none;
  CHECK_OK(proxel_signature_index_create(device, &c_database, nullptr, &index));
  Found found(10, k);
  const auto search = [&](const proxel_signatures* asked, std::uint64_t neighbours, std::uint64_t slots) {
    return proxel_signature_index_search(index, asked, neighbours, nullptr, nullptr, found.indices.data(),
                                         found.distances.data(), slots);
  };
  CHECK_FAILS(search(&c_database, 0, found.slots), PROXEL_INVALID_ARGUMENT, "k");
  CHECK_FAILS(search(&c_database, k, 3), PROXEL_INVALID_ARGUMENT, "slots");
  CHECK_FAILS(search(nullptr, k, found.slots), PROXEL_INVALID_ARGUMENT, "queries");
  proxel_signatures bad = c_database;
  bad.offsets = nullptr;
  CHECK_FAILS(search(&bad, k, found.slots), PROXEL_INVALID_ARGUMENT, "offsets");
  const std::uint64_t falling[] = {0, 3, 2};
  bad.offsets = falling;
  bad.count = 2;
  CHECK_FAILS(search(&bad, k, found.slots), PROXEL_INVALID_ARGUMENT, "offsets");
  bad = c_database;
  bad.centroids = nullptr;
  CHECK_FAILS(search(&bad, k, found.slots), PROXEL_INVALID_ARGUMENT, "centroids");
  bad = c_database;
  bad.weights = nullptr;
  CHECK_FAILS(search(&bad, k, found.slots), PROXEL_INVALID_ARGUMENT, "weights");
  bad = c_database;
  bad.dimensions = 0;
  CHECK_FAILS(search(&bad, k, found.slots), PROXEL_INVALID_ARGUMENT, "dimensions of a centroid");
  bad.dimensions = std::uint64_t{1} << 33;
  CHECK_FAILS(search(&bad, k, found.slots), PROXEL_INVALID_ARGUMENT, "dimensions of a centroid");
  bad.dimensions = dimensions - 1;
  CHECK(search(&bad, k, found.slots) == PROXEL_INVALID_ARGUMENT);
  CHECK(found.untouched());

  float room[100];
  MatchesHandle matches;
  CHECK_FAILS(proxel_signature_index_distances(index, &c_database, nullptr, nullptr, room, 99), PROXEL_INVALID_ARGUMENT,
              "slots");
  CHECK_FAILS(proxel_signature_index_distances(index, &c_database, nullptr, nullptr, nullptr, 100),
              PROXEL_INVALID_ARGUMENT, "distances");
  CHECK(proxel_signature_index_range_search(index, &c_database, NAN, nullptr, nullptr, &matches) ==
        PROXEL_INVALID_ARGUMENT);
  CHECK_FAILS(proxel_signature_index_range_search(index, &c_database, 1, nullptr, nullptr, nullptr),
              PROXEL_INVALID_ARGUMENT, "matches");

  proxel_signature_options options = PROXEL_SIGNATURE_OPTIONS_INIT;
  options.similarity = "cosine";
  CHECK(proxel_signature_index_create(device, &c_database, &options, &none) == PROXEL_INVALID_ARGUMENT);
  options = PROXEL_SIGNATURE_OPTIONS_INIT;
  options.method = "fast";
  CHECK(proxel_signature_index_create(device, &c_database, &options, &none) == PROXEL_INVALID_ARGUMENT);
  options = PROXEL_SIGNATURE_OPTIONS_INIT;
  options.alpha = -1;
  CHECK(proxel_signature_index_create(device, &c_database, &options, &none) == PROXEL_INVALID_ARGUMENT);
  bad = c_database;
  bad.count = 0;
  CHECK(proxel_signature_index_create(device, &bad, nullptr, &none) == PROXEL_INVALID_ARGUMENT);
  CHECK_FAILS(proxel_signature_index_create(nullptr, &c_database, nullptr, &none), PROXEL_INVALID_ARGUMENT, "device");
  CHECK_FAILS(proxel_signature_index_create(device, &c_database, nullptr, nullptr), PROXEL_INVALID_ARGUMENT, "index");
  CHECK(none == nullptr);
  proxel_times times = PROXEL_TIMES_INIT;
  proxel_signature_index_info info = PROXEL_SIGNATURE_INDEX_INFO_INIT;
  CHECK_FAILS(proxel_signature_index_get_times(nullptr, &times), PROXEL_INVALID_ARGUMENT, "index");
  CHECK_FAILS(proxel_signature_index_get_info(nullptr, &info), PROXEL_INVALID_ARGUMENT, "index");
}
