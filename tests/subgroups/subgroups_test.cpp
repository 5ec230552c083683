// The shaders that use subgroups, executed as they are written in subgroups of 4 to 128, and
// compared by the conformance cases: no driver on the processor has more than 16 lanes.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <stdexcept>

#include "case.hpp"
#include "filter.hpp"
#include "invocation.hpp"
#include "lanes_device.hpp"
#include "random.hpp"

using namespace proxel;
using namespace proxel::conformance;

namespace {

// A shader, the cases that run it, and how many of them at most.
struct Tried {
  const char* shader;
  const char* cases;
  std::size_t most;
};
constexpr Tried tried[] = {
    {"counting_select", "pass/counting_select/*", 5},
    {"counting_select", "strings/permutation/*", 1},
    {"radix_scatter", "selection/radix-sort/*", 6},
    {"merge_sorted", "pass/merge_sorted/*", 6},
    {"merge_sorted", "selection/quick-sort/*", 4},
    {"quick_sort_local", "pass/quick_sort_local/*", 6},
    {"quick_multi_select_subgroup", "pass/quick_multi_select_subgroup/*", 6},
    {"quick_multi_select_workgroup", "pass/quick_multi_select_workgroup/*", 6},
    {"stream_select", "selection/streaming/*", 5},
    {"stream_select", "pass/stream_select/*capacity=*", 3},
    {"group_select", "selection/threshold/*", 3},
    {"sample_bound", "pass/sample_bound/*", 5},
    {"sample_select", "pass/sample_select/*", 3},
    {"screen_runs", "pass/screen_runs/*", 3},
    {"bvh_search", "pass/bvh/*", 3},
    {"screen_threshold", "pass/screen/scalar/*", 4},
    {"screen_refine", "pass/screen/scalar/*", 4},
    {"screen_refine", "pass/screen/scalar/*workgroup=32*", 2},
    {"screen_refine", "pass/screen/codes/*workgroup=*", 2},
};

void try_with(std::uint32_t subgroup_size, const Tried& one) {
  INFO(one.shader, " by ", one.cases, " in subgroups of ", subgroup_size);
  const std::unique_ptr<Device> reference = open_device("cpu:reference");
  std::vector<const Case*> chosen;
  for (const Case& candidate : all_cases())
    if (candidate.quick && selected(one.cases, candidate.name)) chosen.push_back(&candidate);
  REQUIRE(!chosen.empty());
  glsl::LanesDevice device(subgroup_size);
  const std::size_t step = chosen.size() / one.most + 1;
  for (std::size_t i = 0; i < chosen.size(); i += step) {
    INFO(chosen[i]->name);
    const auto check = chosen[i]->prepare({case_seed(1, chosen[i]->name), *reference});
    const Verdict verdict = check->run(device);
    CHECK_MESSAGE(verdict.outcome != Outcome::failed, verdict.message);
  }
  const auto runs = device.runs().find(one.shader);
  CHECK(runs != device.runs().end());
}

void try_all(std::uint32_t subgroup_size) {
  for (const Tried& one : tried) try_with(subgroup_size, one);
}

}  // namespace

TEST_SUITE_BEGIN("subgroups");

TEST_CASE("of 4") { try_all(4); }
TEST_CASE("of 8") { try_all(8); }
TEST_CASE("of 16") { try_all(16); }
TEST_CASE("of 32") { try_all(32); }
TEST_CASE("of 64") { try_all(64); }
TEST_CASE("of 128") { try_all(128); }

// What the test itself would not notice, it could not find in a shader.
TEST_CASE("invocations that meet at different places are found") {
  struct Apart : glsl::Invocation {
    void at_barriers() {
      if (gl_LocalInvocationID.x < 10) barrier();
    }
    void at_operations() {
      if (gl_SubgroupInvocationID < 3)
        subgroupBarrier();
      else
        subgroupBallot(true);
    }
  };
  Pass pass;
  pass.workgroup_size = 32;
  CHECK_THROWS_AS(glsl::run_shader(pass, 8, [] { Apart().at_barriers(); }), const std::logic_error&);
  CHECK_THROWS_AS(glsl::run_shader(pass, 8, [] { Apart().at_operations(); }), const std::logic_error&);
}

TEST_CASE("ballots of 64 have their upper half") {
  struct Ballots : glsl::Invocation {
    void look() {
      const glsl::uvec4 odd = subgroupBallot(gl_SubgroupInvocationID % 2u == 1u);
      CHECK(odd == glsl::uvec4(0xAAAAAAAAu, 0xAAAAAAAAu, 0u, 0u));
      CHECK(subgroupBallotBitCount(odd) == 32);
      CHECK(subgroupBallotExclusiveBitCount(odd) == gl_SubgroupInvocationID / 2u);
      CHECK(subgroupInclusiveAdd(1u) == gl_SubgroupInvocationID + 1u);
    }
  };
  Pass pass;
  pass.workgroup_size = 128;
  glsl::run_shader(pass, 64, [] { Ballots().look(); });
}

TEST_SUITE_END();
