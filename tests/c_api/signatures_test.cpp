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
      IndexHandle index;
      CHECK_OK(proxel_signature_index_create(device, of(c_database), &options, &index));
      SignatureIndex cpp(*own, database, {.similarity = {similarity_from_string(similarity), 0.5f}});

      AnswerHandle found, matches, distances;
      Counter counter;
      CHECK_OK(proxel_index_search(index, of(c_asked), k, telling(counter), &found));
      const Neighbors expected = cpp.search(asked, k);
      CHECK(same(found, expected));
      CHECK(counter.calls > 0);
      proxel_index_info info = PROXEL_INDEX_INFO_INIT;
      CHECK_OK(proxel_index_get_info(index, &info));
      CHECK(std::string(info.kind) == "signatures");
      CHECK(info.size == 60);
      CHECK(info.dimensions == dimensions);
      CHECK(std::string(info.similarity) == similarity);
      CHECK(info.alpha == 0.5);
      CHECK(std::string(info.method) == "auto");
      CHECK(info.build_milliseconds > 0);
      const proxel_report report = report_of(found);
      CHECK(report.method == expected.report.method);
      CHECK(report.evaluated == expected.report.evaluated);
      CHECK(report.compared == expected.report.compared);
      CHECK(plausible(report));
      CHECK_OK(proxel_index_range_search(index, of(c_asked), 0.5f, nullptr, &matches));
      CHECK(same(matches, cpp.range_search(asked, 0.5f)));
      CHECK_OK(proxel_index_distances(index, of(c_asked), nullptr, &distances));
      CHECK(same(distances, cpp.distances(asked).values));
    }
}

TEST_CASE("signatures that cannot be searched are refused") {
  const DeviceHandle device = open("cpu");
  const Signatures database = random_signatures(10, 1);
  const proxel_signatures c_database = c_signatures(database);
  IndexHandle index, none;
  CHECK_OK(proxel_signature_index_create(device, of(c_database), nullptr, &index));
  AnswerHandle found;
  const auto search = [&](const proxel_signatures& asked, std::uint64_t neighbours) {
    return proxel_index_search(index, of(asked), neighbours, nullptr, &found);
  };
  CHECK_FAILS(search(c_database, 0), PROXEL_INVALID_ARGUMENT, "k");
  CHECK_FAILS(proxel_index_search(index, nullptr, k, nullptr, &found), PROXEL_INVALID_ARGUMENT, "queries");
  proxel_signatures bad = c_database;
  bad.offsets = nullptr;
  CHECK_FAILS(search(bad, k), PROXEL_INVALID_ARGUMENT, "offsets");
  const std::uint64_t falling[] = {0, 3, 2};
  bad.offsets = falling;
  bad.count = 2;
  CHECK_FAILS(search(bad, k), PROXEL_INVALID_ARGUMENT, "offsets");
  bad = c_database;
  bad.centroids = nullptr;
  CHECK_FAILS(search(bad, k), PROXEL_INVALID_ARGUMENT, "centroids");
  bad = c_database;
  bad.weights = nullptr;
  CHECK_FAILS(search(bad, k), PROXEL_INVALID_ARGUMENT, "weights");
  bad = c_database;
  bad.dimensions = 0;
  CHECK_FAILS(search(bad, k), PROXEL_INVALID_ARGUMENT, "dimensions of a centroid");
  bad.dimensions = std::uint64_t{1} << 33;
  CHECK_FAILS(search(bad, k), PROXEL_INVALID_ARGUMENT, "dimensions of a centroid");
  bad.dimensions = dimensions - 1;
  CHECK(search(bad, k) == PROXEL_INVALID_ARGUMENT);
  CHECK(found == nullptr);

  CHECK_FAILS(proxel_index_distances(index, of(c_database), nullptr, nullptr), PROXEL_INVALID_ARGUMENT, "answer");
  CHECK(proxel_index_range_search(index, of(c_database), NAN, nullptr, &found) == PROXEL_INVALID_ARGUMENT);
  CHECK_FAILS(proxel_index_range_search(index, of(c_database), 1, nullptr, nullptr), PROXEL_INVALID_ARGUMENT, "answer");

  proxel_signature_options options = PROXEL_SIGNATURE_OPTIONS_INIT;
  options.similarity = "cosine";
  CHECK(proxel_signature_index_create(device, of(c_database), &options, &none) == PROXEL_INVALID_ARGUMENT);
  options = PROXEL_SIGNATURE_OPTIONS_INIT;
  options.method = "fast";
  CHECK(proxel_signature_index_create(device, of(c_database), &options, &none) == PROXEL_INVALID_ARGUMENT);
  options = PROXEL_SIGNATURE_OPTIONS_INIT;
  options.alpha = -1;
  CHECK(proxel_signature_index_create(device, of(c_database), &options, &none) == PROXEL_INVALID_ARGUMENT);
  bad = c_database;
  bad.count = 0;
  CHECK(proxel_signature_index_create(device, of(bad), nullptr, &none) == PROXEL_INVALID_ARGUMENT);
  CHECK_FAILS(proxel_signature_index_create(nullptr, of(c_database), nullptr, &none), PROXEL_INVALID_ARGUMENT,
              "device");
  CHECK_FAILS(proxel_signature_index_create(device, of(c_database), nullptr, nullptr), PROXEL_INVALID_ARGUMENT,
              "index");
  CHECK(none == nullptr);
}
