// A device that only compiles: what its compiler refuses, or says on the side, is found.
#include <cstdio>

#include <doctest/doctest.h>

#include "case.hpp"
#include "compiling_device.hpp"
#include "pipelines.hpp"
#include "proxel/passes/types.h"
#include "random.hpp"

using namespace proxel;
using namespace proxel::conformance;

namespace {

// Compiles nothing, and counts.
class MadeUpCompiler : public PassCompiler {
 public:
  explicit MadeUpCompiler(std::function<CompiledPass(const Pass&)> compile) : compile_(std::move(compile)) {
    info_.id = "made-up:0";
    info_.usable = Support::no("there is no hardware behind it");
    info_.capabilities.subgroup_size = 64;
    info_.capabilities.max_workgroup_size = 1024;
    info_.capabilities.shared_memory_bytes = 65536;
    info_.capabilities.max_texture_extent = 4096;
    info_.capabilities.max_texture_layers = 256;
  }
  const DeviceInfo& info() const override { return info_; }
  Support supports(const Pass&) const override { return Support::yes(); }
  Support statistics() const override { return Support::yes(); }
  CompiledPass compile(const Pass& pass) override { return compile_(pass); }

 private:
  DeviceInfo info_;
  std::function<CompiledPass(const Pass&)> compile_;
};

CompilingDevice device_of(std::function<CompiledPass(const Pass&)> compile) {
  return CompilingDevice(std::make_unique<MadeUpCompiler>(std::move(compile)));
}

Verdict run(CompilingDevice& device, const std::string& name) {
  const std::unique_ptr<Device> reference = open_device("cpu:reference");
  for (const Case& one : all_cases())
    if (one.name == name) {
      device.begin_case(name);
      return one.prepare({case_seed(1, name), *reference})->run(device);
    }
  FAIL("no case ", name);
  return {};
}

constexpr const char* merge = "pass/merge_lists/queries=1,lists=1,k=1,stride=1/ties";

}  // namespace

TEST_SUITE_BEGIN("harness");

TEST_CASE("every pass is compiled once, and the host answers") {
  int compiled = 0;
  CompilingDevice device = device_of([&](const Pass&) {
    ++compiled;
    return CompiledPass{64, {{"VGPRs", "", 24}, {"Spilled VGPRs", "", 3}, {"Subgroups per SIMD", "", 8}}};
  });
  CHECK(device.info().usable);
  CHECK(run(device, merge).outcome == Outcome::passed);
  CHECK(run(device, merge).outcome == Outcome::passed);
  CHECK(compiled == 1);
  CHECK(device.failure().empty());
  const auto pipelines = device.pipelines();
  REQUIRE(pipelines.size() == 1);
  CHECK(pipelines[0].pass == "merge_lists");
  CHECK(pipelines[0].subgroup_size == 64);
  CHECK(pipelines[0].first_case == merge);
  CHECK(pipelines[0].families == std::set<std::string>{"pass/merge_lists"});

  Report report;
  report.pipelines = pipelines;
  const std::string table = pipelines_table(report, false);
  CHECK(table.find("merge_lists") != std::string::npos);
  CHECK(table.find("1 passes, 1 pipelines compiled, 0 failed") != std::string::npos);
  const auto json = pipelines_json(report);
  CHECK(json[0]["statistics"]["Spilled VGPRs"] == 3);
}

TEST_CASE("sizes of databases of which there is no data are compiled, too") {
  std::set<std::string> passes;
  CompilingDevice device = device_of([&](const Pass& pass) {
    passes.insert(pass.name());
    return CompiledPass{};
  });
  CHECK(run(device, "sizes/bvh/l2sq/d=3,q=100,k=10").outcome == Outcome::passed);
  CHECK(passes.contains("bvh_search"));
  CHECK(passes.contains("bvh_nodes"));
}

TEST_CASE("a pass that is not compiled is a failure, whichever way the driver says it") {
  for (const bool says : {false, true}) {
    CompilingDevice device = device_of([&](const Pass&) -> CompiledPass {
      if (!says) throw Error(ErrorCode::backend_failure, "made-up:0", "vkCreateComputePipelines failed");
      std::fputs("ACO ERROR:\n    Unimplemented\n", stderr);
      return {};
    });
    run(device, merge);
    CHECK(device.failure().find(says ? "ACO ERROR:     Unimplemented" : "vkCreateComputePipelines") !=
          std::string::npos);
    const auto pipelines = device.pipelines();
    REQUIRE(pipelines.size() == 1);
    CHECK(!pipelines[0].error.empty());
    Report report;
    report.pipelines = pipelines;
    CHECK(pipelines_table(report, false).find("1 failed") != std::string::npos);
  }
}

TEST_CASE("a device that only compiles is opened again as the host") {
  CompilingDevice device = device_of([](const Pass&) { return CompiledPass{}; });
  CHECK(open_again(device)->info().id == "cpu");
  CHECK(open_again(*open_device("cpu:reference"))->info().id == "cpu:reference");
}

TEST_CASE("the host compiles nothing") {
  CHECK_THROWS_AS(open_compiler("cpu"), const Error&);
  CHECK_THROWS_AS(open_compiler("nonsense:3"), const Error&);
}

TEST_SUITE_END();
