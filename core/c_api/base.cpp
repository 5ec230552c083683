// Status codes, the version, and the names there are.
#include <array>
#include <string>
#include <vector>

#include "c_api/names.hpp"

using namespace proxel;
using namespace proxel::c_api;

namespace {

// Every code of the C++ interface has its number in C.
constexpr bool same(ErrorCode code, proxel_status status) { return static_cast<int>(code) == status; }
static_assert(same(ErrorCode::invalid_argument, PROXEL_INVALID_ARGUMENT) &&
              same(ErrorCode::unsupported, PROXEL_UNSUPPORTED) && same(ErrorCode::not_found, PROXEL_NOT_FOUND) &&
              same(ErrorCode::malformed_file, PROXEL_MALFORMED_FILE) &&
              same(ErrorCode::input_output, PROXEL_INPUT_OUTPUT) &&
              same(ErrorCode::out_of_memory, PROXEL_OUT_OF_MEMORY) &&
              same(ErrorCode::device_lost, PROXEL_DEVICE_LOST) &&
              same(ErrorCode::backend_failure, PROXEL_BACKEND_FAILURE));

}  // namespace

const char* proxel_status_name(proxel_status status) {
  switch (status) {
    case PROXEL_OK:
      return "ok";
    case PROXEL_CANCELLED:
      return "cancelled";
    case PROXEL_INTERNAL_ERROR:
      return "internal_error";
    default:
      return to_string(static_cast<ErrorCode>(status)).data();  // of a literal
  }
}

uint32_t proxel_version(void) { return PROXEL_VERSION; }
const char* proxel_version_string(void) { return PROXEL_VERSION_STRING; }

const char* proxel_metric_name(uint64_t position) {
  return position < all_metrics.size() ? to_string(all_metrics[position]).data() : nullptr;
}

const char* proxel_method_name(uint64_t position) {
  try {
    static const std::vector<std::string> names = method_names();
    return position < names.size() ? names[position].c_str() : nullptr;
  } catch (...) {
    return nullptr;
  }
}

proxel_status proxel_error_bound(const char* metric, uint32_t dimensions, double* bound) {
  return guarded([&] { required(bound, "bound") = error_bound(metric_named(metric), dimensions); });
}

proxel_status proxel_set_pipeline_cache_directory(const char* path) {
  return guarded([&] { set_pipeline_cache_directory(path ? path : ""); });
}
