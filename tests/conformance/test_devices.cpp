// The quick tier on the devices of this machine, one check per case.
//
// PROXEL_CONFORMANCE_BACKEND=cpu|vulkan|cuda: the devices of one backend;
// PROXEL_CONFORMANCE_DEVICE=vulkan:1: one device; neither: all of them.
// PROXEL_CONFORMANCE_FILTER, PROXEL_CONFORMANCE_SEED: as the command line has them.
// PROXEL_CONFORMANCE_ONE_IN=4: one in four cases of each family.
// PROXEL_CONFORMANCE_FULL=1: the full tier.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <string>
#include <string_view>

#include <doctest/doctest.h>

#include "conformance.hpp"
#include "proxel/device.hpp"
#if __has_include("proxel/vulkan.hpp")
#include "proxel/vulkan.hpp"
#define PROXEL_TESTS_VULKAN
#endif

using namespace proxel;
using namespace proxel::conformance;

namespace {

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

// What even the reference cannot serve: a device of the cpu backend may refuse
// nothing else.
bool known_limit(const CaseReport& one) {
  const auto names = [&](const char* part) { return one.name.find(part) != std::string::npos; };
  const auto limited_by = [&](std::initializer_list<Limit> limits) {
    return one.refusal.limit && std::find(limits.begin(), limits.end(), *one.refusal.limit) != limits.end();
  };
  const auto at_fault = [&](std::initializer_list<std::string_view> subjects) {
    return std::find(subjects.begin(), subjects.end(), one.refusal.subject) != subjects.end();
  };
  if (names("raw/") && at_fault({"raw"})) return true;
  if (names("texel") || names("invariance/methods/"))
    return limited_by({Limit::metric, Limit::neighbors}) || at_fault({"k", "options", "rows"});
  if (names("garcia") || names("komarov")) return limited_by({Limit::metric, Limit::neighbors}) || at_fault({"metric"});
  if (names("selection/")) return limited_by({Limit::neighbors});
  // Too many dimensions are refused when the index is made.
  if (names("bvh")) return limited_by({Limit::metric, Limit::neighbors, Limit::dimensions}) || at_fault({"method"});
  if (names("fused")) return limited_by({Limit::neighbors, Limit::narrowing}) || at_fault({"options"});
  // Codes of many queries are a GPU's,
  if (names("estimate/plan/8-bit codes") || names("estimate/sparse/8-bit codes")) return limited_by({Limit::device});
  // and so are matrix units.
  const bool on_matrix_units = names("pass/screen/matrix") || names("int8-matrix");
  return on_matrix_units && limited_by({Limit::kernel});
}

}  // namespace

TEST_SUITE_BEGIN("devices");

TEST_CASE("the quick tier") {
  Options options;
  options.filter = environment("PROXEL_CONFORMANCE_FILTER");
  options.quick = environment("PROXEL_CONFORMANCE_FULL").empty();
  if (const std::string seed = environment("PROXEL_CONFORMANCE_SEED"); !seed.empty()) options.seed = std::stoull(seed);
  if (const std::string one_in = environment("PROXEL_CONFORMANCE_ONE_IN"); !one_in.empty())
    options.one_in = std::stoull(one_in);
  const std::string backend = environment("PROXEL_CONFORMANCE_BACKEND");
  if (const std::string device = environment("PROXEL_CONFORMANCE_DEVICE"); !device.empty()) {
    options.devices = {device};
  } else if (!backend.empty()) {
    for (const DeviceInfo& info : list_devices())
      if (info.usable && to_string(info.backend) == backend) options.devices.push_back(info.id);
    if (options.devices.empty()) {
      std::printf("skipped: no usable %s device\n", backend.c_str());
      return;
    }
  }

  const Report report = run(options, [](const CaseReport& one, std::uint64_t, std::uint64_t) {
    INFO(one.device, " ", one.name);
    INFO("repeat: ", one.repeat);
    CHECK_MESSAGE(one.outcome != Outcome::failed, one.message);
    if (one.outcome == Outcome::unsupported && one.device.starts_with("cpu"))
      CHECK_MESSAGE(known_limit(one), "the CPU refused: ", one.message);
  });
  std::printf("%s", to_table(report).c_str());
  CHECK(report.conforms());
#ifdef PROXEL_TESTS_VULKAN
  // Counted where the validation layers are switched on (PROXEL_VALIDATION=1).
  CHECK(vulkan::validation_messages() == 0);
#endif
}

TEST_SUITE_END();
