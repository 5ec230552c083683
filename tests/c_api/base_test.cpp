// Statuses, errors, versions, names, and structs of other versions.
#include <array>
#include <thread>

#include "support.hpp"

using namespace proxel;
using namespace proxel::c_test;

TEST_CASE("statuses are the codes of the C++ interface, by name as well") {
  for (int code = 1; code <= 8; ++code)
    CHECK(proxel_status_name(static_cast<proxel_status>(code)) == to_string(static_cast<ErrorCode>(code)));
  CHECK(std::string(proxel_status_name(PROXEL_OK)) == "ok");
  CHECK(std::string(proxel_status_name(PROXEL_CANCELLED)) == "cancelled");
  CHECK(std::string(proxel_status_name(PROXEL_INTERNAL_ERROR)) == "internal_error");
  CHECK(std::string(proxel_status_name(static_cast<proxel_status>(50))) == "unknown");
}

TEST_CASE("the version of the library is that of its header") {
  CHECK(proxel_version() == PROXEL_VERSION);
  CHECK(std::string(proxel_version_string()) == PROXEL_VERSION_STRING);
  CHECK(PROXEL_VERSION == PROXEL_VERSION_MAJOR * 1000000 + PROXEL_VERSION_MINOR * 1000 + PROXEL_VERSION_PATCH);
}

TEST_CASE("names are those of the command line") {
  std::vector<std::string> methods, metrics;
  for (std::uint64_t i = 0; proxel_method_name(i); ++i) methods.emplace_back(proxel_method_name(i));
  for (std::uint64_t i = 0; proxel_metric_name(i); ++i) metrics.emplace_back(proxel_metric_name(i));
  CHECK(methods == method_names());
  REQUIRE(metrics.size() == all_metrics.size());
  for (std::size_t i = 0; i < metrics.size(); ++i) CHECK(metric_from_string(metrics[i]) == all_metrics[i]);
  CHECK(proxel_metric_name(UINT64_MAX) == nullptr);

  double bound = -1;
  CHECK_OK(proxel_error_bound("cosine", 1000, &bound));
  CHECK(bound == error_bound(Metric::cosine, 1000));
  CHECK_OK(proxel_error_bound(nullptr, 1000, &bound));
  CHECK(bound == 0);
  CHECK_FAILS(proxel_error_bound("l3", 3, &bound), PROXEL_INVALID_ARGUMENT, "metric");
  CHECK(std::string(proxel_last_error()).find("l2sq") != std::string::npos);
  CHECK_FAILS(proxel_error_bound("l1", 3, nullptr), PROXEL_INVALID_ARGUMENT, "bound");
}

TEST_CASE("each thread has its own error") {
  CHECK(proxel_device_open("cpu", nullptr) == PROXEL_INVALID_ARGUMENT);
  const std::string here = proxel_last_error();
  std::string before, there;
  std::thread other([&] {
    before = proxel_last_error();
    proxel_device* device = nullptr;
    if (proxel_device_open("no such device", &device) == PROXEL_NOT_FOUND) there = proxel_last_error();
  });
  other.join();
  CHECK(before.empty());
  CHECK(there.find("no such device: ") == 0);
  CHECK(proxel_last_error() == here);
  CHECK(here == "device: is a null pointer");
  // A call that goes well leaves the error as it is.
  CHECK_OK(proxel_set_pipeline_cache_directory(nullptr));
  CHECK(proxel_last_error() == here);
}

namespace {

// Options as a program has them that was built with a header of a later version.
struct LaterOptions {
  proxel_index_options known;
  std::uint64_t unknown[2];
};

proxel_status create(const proxel_index_options* options, proxel_index** index) {
  const DeviceHandle device = open("cpu");
  const Matrix<float> rows = random_matrix(10, 2, 1);
  const proxel_matrix view = c_matrix(rows);
  return proxel_index_create(device, of(view), options, index);
}

}  // namespace

TEST_CASE("smaller structs have defaults for what they lack, larger ones zeros for what is not known") {
  IndexHandle index;
  proxel_index_options options = PROXEL_INDEX_OPTIONS_INIT;
  options.method = "scan";
  options.storage = "no such type";  // is not looked at below
  options.struct_size = offsetof(proxel_index_options, storage);
  CHECK_OK(create(&options, &index));
  index.reset();
  options.struct_size = sizeof options;
  CHECK_FAILS(create(&options, &index), PROXEL_INVALID_ARGUMENT, "storage");

  LaterOptions later{PROXEL_INDEX_OPTIONS_INIT, {0, 0}};
  later.known.struct_size = sizeof later;
  CHECK_OK(create(&later.known, &index));
  index.reset();
  later.unknown[1] = 1;
  CHECK_FAILS(create(&later.known, &index), PROXEL_UNSUPPORTED, "options");

  for (const std::size_t size : {std::size_t{0}, std::size_t{4}, std::size_t{9}, std::size_t{4104}, SIZE_MAX}) {
    options = PROXEL_INDEX_OPTIONS_INIT;
    options.struct_size = size;
    CHECK_FAILS(create(&options, &index), PROXEL_INVALID_ARGUMENT, "options");
  }
  CHECK(index == nullptr);
}

TEST_CASE("structs that are written: no more than there is room for, and zeros where nothing is known") {
  const DeviceHandle device = open("cpu");
  proxel_device_info info = PROXEL_DEVICE_INFO_INIT;
  info.struct_size = offsetof(proxel_device_info, name);
  info.name = "as it was";
  CHECK_OK(proxel_device_get_info(device, &info));
  CHECK(std::string(info.id) == "cpu");
  CHECK(std::string(info.name) == "as it was");

  struct {
    proxel_device_info known;
    std::uint64_t unknown[2];
  } later{PROXEL_DEVICE_INFO_INIT, {7, 7}};
  later.known.struct_size = sizeof later;
  CHECK_OK(proxel_device_get_info(device, &later.known));
  CHECK(later.known.struct_size == sizeof later);
  CHECK(std::string(later.known.backend) == "cpu");
  CHECK(later.unknown[0] == 0);
  CHECK(later.unknown[1] == 0);

  info.struct_size = 3;
  CHECK_FAILS(proxel_device_get_info(device, &info), PROXEL_INVALID_ARGUMENT, "info");
  CHECK_FAILS(proxel_device_get_info(device, nullptr), PROXEL_INVALID_ARGUMENT, "info");
  CHECK_FAILS(proxel_device_get_info(nullptr, &info), PROXEL_INVALID_ARGUMENT, "device");
}

TEST_CASE("destroying nothing does nothing, and leaves the latest error alone") {
  CHECK(proxel_device_open("nowhere:0", nullptr) == PROXEL_INVALID_ARGUMENT);
  const std::string error = proxel_last_error();
  proxel_device_destroy(nullptr);
  proxel_device_list_destroy(nullptr);
  proxel_buffer_destroy(nullptr);
  proxel_recording_destroy(nullptr);
  proxel_index_destroy(nullptr);
  proxel_plan_destroy(nullptr);
  proxel_answer_destroy(nullptr);
  proxel_signature_file_destroy(nullptr);
  proxel_data_destroy(nullptr);
  proxel_semaphore_destroy(nullptr);
  proxel_vulkan_wishes_destroy(nullptr);
  CHECK(error == proxel_last_error());
}
