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
    IndexHandle index;
    CHECK_OK(proxel_krulis_index_create(devices.data(), devices.size(), of(c_known), &options, &index));
    handles.clear();  // an index keeps its devices

    AnswerHandle found, matches, all;
    CHECK_OK(proxel_index_search(index, of(c_wanted), k, nullptr, &found));
    CHECK(same(found, cpp.search(wanted, k)));
    CHECK_OK(proxel_index_range_search(index, of(c_wanted), 0.3f, nullptr, &matches));
    CHECK(same(matches, cpp.range_search(wanted, 0.3f)));
    CHECK_OK(proxel_index_distances(index, of(c_wanted), nullptr, &all));
    CHECK(same(all, cpp.distances(wanted).values));

    proxel_index_info info = PROXEL_INDEX_INFO_INIT;
    CHECK_OK(proxel_index_get_info(index, &info));
    CHECK(std::string(info.kind) == "krulis");
    CHECK(info.size == 90);
    CHECK(info.dimensions == signature_dimensions);
    CHECK(info.pivot_count == cpp.pivots().size());
    CHECK(std::equal(cpp.pivots().begin(), cpp.pivots().end(), info.pivots));
    const proxel_report report = report_of(found);
    CHECK(report.compared == queries * 90);
    CHECK(report.device_count == devices.size());
    std::uint64_t blocks = 0;
    for (std::uint64_t i = 0; i < report.device_count; ++i) blocks += report.devices[i].blocks;
    CHECK(blocks > 0);
  }
}

TEST_CASE("signatures that travel are found as those that stay") {
  const Signatures known = random_signatures(90, 1), wanted = random_signatures(6, 2);
  const proxel_signatures c_known = c_signatures(known), c_wanted = c_signatures(wanted);
  for (const std::string& id : device_ids()) {
    CAPTURE(id);
    const DeviceHandle device = open(id);
    proxel_device* const devices[] = {device};
    const auto own = open_device(id);
    Device* const used[] = {own.get()};
    KrulisIndex whole(used, known);
    proxel_krulis_options options = PROXEL_KRULIS_OPTIONS_INIT;
    options.memory_limit = 10'000;
    options.group = 20;
    IndexHandle index;
    CHECK_OK(proxel_krulis_index_create(devices, 1, of(c_known), &options, &index));
    AnswerHandle found;
    CHECK_OK(proxel_index_search(index, of(c_wanted), 5, nullptr, &found));
    CHECK(same(found, whole.search(wanted, 5)));
    CHECK(report_of(found).upload_milliseconds > 0);
    options.memory_limit = 100;
    IndexHandle none;
    CHECK_FAILS(proxel_krulis_index_create(devices, 1, of(c_known), &options, &none), PROXEL_INVALID_ARGUMENT,
                "memory_limit");
    options.group = UINT64_MAX;
    CHECK_FAILS(proxel_krulis_index_create(devices, 1, of(c_known), &options, &none), PROXEL_INVALID_ARGUMENT, "group");
  }
}

TEST_CASE("an index over several devices says what it cannot be, and cannot do") {
  const Signatures known = random_signatures(20, 1);
  const proxel_signatures c_known = c_signatures(known);
  const DeviceHandle device = open("cpu");
  proxel_device* const devices[] = {device, nullptr};
  IndexHandle index, none;
  proxel_krulis_options options = PROXEL_KRULIS_OPTIONS_INIT;
  const auto make = [&](std::uint64_t count) {
    return proxel_krulis_index_create(devices, count, of(c_known), &options, &none);
  };
  CHECK_FAILS(make(0), PROXEL_INVALID_ARGUMENT, "devices");
  CHECK_FAILS(make(65), PROXEL_INVALID_ARGUMENT, "devices");
  CHECK_FAILS(make(2), PROXEL_INVALID_ARGUMENT, "devices");
  CHECK_FAILS(proxel_krulis_index_create(nullptr, 1, of(c_known), nullptr, &none), PROXEL_INVALID_ARGUMENT, "devices");
  CHECK_FAILS(proxel_krulis_index_create(devices, 1, of(c_known), nullptr, nullptr), PROXEL_INVALID_ARGUMENT, "index");
  options.precision = "half";
  CHECK_FAILS(make(1), PROXEL_INVALID_ARGUMENT, "precision");
  options = PROXEL_KRULIS_OPTIONS_INIT;
  options.filter = "fast";
  CHECK(make(1) == PROXEL_INVALID_ARGUMENT);
  options = PROXEL_KRULIS_OPTIONS_INIT;
  options.alpha = -1;
  CHECK(make(1) == PROXEL_INVALID_ARGUMENT);
  CHECK(none == nullptr);
  CHECK_OK(proxel_krulis_index_create(devices, 1, of(c_known), nullptr, &index));
  AnswerHandle answer;
  CHECK_FAILS(proxel_index_search(index, of(c_known), 0, nullptr, &answer), PROXEL_INVALID_ARGUMENT, "k");
  PlanHandle plan;
  CHECK_FAILS(proxel_index_plan(index, 1, 1, nullptr, &plan), PROXEL_UNSUPPORTED, "index");
  CHECK(std::string(proxel_last_error()) == "index: is of kind krulis, which has no plans");
  CHECK(answer == nullptr);
  CHECK(plan == nullptr);
}
