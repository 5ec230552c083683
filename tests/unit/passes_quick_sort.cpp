// GPU-Qsort's two passes by hand, and how its plan puts them together.
#include <algorithm>
#include <string>

#include "proxel/neighbors.hpp"
#include "proxel/passes/merge_sorted.h"
#include "proxel/passes/quick_sort_local.h"
#include "proxel/selection.hpp"
#include "search/rehearsal.hpp"
#include "support.hpp"

using namespace proxel;
using namespace proxel::passes;
using namespace proxel::unit;

namespace {

std::vector<std::uint32_t> columns_of(const std::vector<std::uint64_t>& keys) {
  std::vector<std::uint32_t> columns;
  for (const std::uint64_t one : keys) columns.push_back(index_of(one));
  return columns;
}

class Recorded : public unit::PassesAlone {
 public:
  std::vector<Pass> passes;
  void record(const Pass& pass) override {
    for (const std::uint32_t extent : {pass.grid.x, pass.grid.y, pass.grid.z}) CHECK(extent <= largest_grid_extent);
    passes.push_back(pass);
  }
};

}  // namespace

TEST_CASE("parts of a row are sorted each for itself, then merged in pairs") {
  const std::vector<float> values = {3, -0.0f, std::nanf(""), 0, 2, 1, 9, 5, 4, 4, -1};
  std::vector<std::uint64_t> runs(values.size());
  QuickSortLocalParameters local{};
  local.rows = {address_of(values.data()), 1, 11, 11, 0};
  local.result.k = 11;
  local.target = address_of(runs.data());
  reference::run(make_quick_sort_local(local, false, 256, 4));
  CHECK(columns_of(runs) == std::vector<std::uint32_t>{1, 3, 0, 2, 5, 4, 7, 6, 10, 8, 9});

  std::vector<std::uint64_t> merged(values.size());
  MergeSortedParameters merge{};
  merge.rows = local.rows;
  merge.result.k = 11;
  merge.source = address_of(runs.data());
  merge.target = address_of(merged.data());
  merge.run = 4;
  reference::run(make_merge_sorted(merge, false, 256));
  CHECK(columns_of(merged) == std::vector<std::uint32_t>{1, 3, 5, 4, 0, 7, 6, 2, 10, 8, 9});

  std::vector<std::uint32_t> indices(13, 77);
  std::vector<float> selected(13, 77);
  merge.source = address_of(merged.data());
  merge.target = 0;
  merge.run = 8;
  merge.result = {0, address_of(indices.data()), address_of(selected.data()), 13, 1};
  reference::run(make_merge_sorted(merge, false, 256));
  CHECK(indices == std::vector<std::uint32_t>{10, 1, 3, 5, 4, 0, 8, 9, 7, 6, 2, no_neighbor, no_neighbor});
  CHECK(std::bit_cast<std::uint32_t>(selected[1]) == 0);  // -0 comes back as +0
  CHECK(std::isnan(selected[10]));
  CHECK(std::isinf(selected[12]));
}

TEST_CASE("of parts and pairs no more than k keys are written") {
  const std::vector<float> values = {4, 3, 2, 1, 8, 7, 6, 5};
  std::vector<std::uint64_t> keys(8, 99);
  QuickSortLocalParameters local{};
  local.rows = {address_of(values.data()), 1, 8, 8, 0};
  local.result.k = 2;
  local.target = address_of(keys.data());
  reference::run(make_quick_sort_local(local, false, 256, 4));
  CHECK(columns_of(keys) == std::vector<std::uint32_t>{3, 2, 99, 99, 7, 6, 99, 99});
}

TEST_CASE("the fast passes of GPU-Qsort write what the references write") {
  for (const Temper temper : all_tempers)
    for (const std::uint32_t columns : {1u, 1023u, 1024u, 5000u}) {
      constexpr std::uint32_t rows = 3;
      const Matrix<float> values = make_values(rows, columns, temper, columns);
      std::vector<std::uint64_t> runs(std::size_t{rows} * columns, 5);
      QuickSortLocalParameters local{};
      local.rows = {address_of(values.data()), rows, columns, columns, 0};
      local.result.k = columns;
      local.target = address_of(runs.data());
      expect_same(make_quick_sort_local(local, columns % 2 == 0, 256, 1024), runs);
      std::vector<std::uint64_t> merged(runs.size(), 5);
      MergeSortedParameters merge{};
      merge.rows = local.rows;
      merge.result.k = columns;
      merge.source = address_of(runs.data());
      merge.target = address_of(merged.data());
      merge.run = 1024;
      expect_same(make_merge_sorted(merge, columns % 2 == 0, 256), merged);
    }
}

TEST_CASE("the shortest parts fit the least shared memory that a device may have") {
  for (const std::uint32_t workgroup : {128u, 256u}) {
    QuickSortLocalParameters local{};
    local.rows.rows = local.rows.columns = 1;
    CHECK(make_quick_sort_local(local, false, workgroup, 1024).shared_bytes <= 16384);
    MergeSortedParameters merge{};
    merge.rows.rows = merge.rows.columns = merge.run = 1;
    CHECK(make_merge_sorted(merge, false, workgroup).shared_bytes <= 16384);
  }
}

TEST_CASE("N parts take ceil(log2 N) rounds of merging") {
  const auto device = open_device("cpu");
  struct Expected {
    std::uint64_t columns;
    std::uint32_t rounds;
  };
  for (const Expected& one : std::initializer_list<Expected>{
           {1, 0}, {1024, 0}, {1025, 1}, {2048, 1}, {2049, 2}, {4097, 3}, {84000, 7}, {0xFFFFFFFEull, 22}}) {
    CAPTURE(one.columns);
    SelectionDescription description;
    description.columns = one.columns;
    description.k = one.columns;
    description.method = SelectionMethod::quick_sort;
    const SelectionPlan plan = SelectionPlan::make(*device, description);
    search::RehearsalBuffer nowhere(UINT64_MAX);
    Recorded recorded;
    plan.record(recorded, {nowhere, nowhere, nowhere, nowhere, nowhere});
    REQUIRE(recorded.passes.size() == 1 + one.rounds);
    CHECK(recorded.passes.front().kind == &quick_sort_local);
    CHECK((plan.scratch_bytes() != 0) == (one.rounds != 0));
    for (std::uint32_t round = 0; round < one.rounds; ++round) {
      const Pass& pass = recorded.passes[1 + round];
      CHECK(pass.kind == &merge_sorted);
      const auto parameters = pass.as<MergeSortedParameters>();
      CHECK(parameters.run == 1024u << round);
      CHECK((parameters.target == 0) == (round + 1 == one.rounds));
    }
  }
}
