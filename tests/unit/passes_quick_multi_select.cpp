#include "proxel/neighbors.hpp"
#include "proxel/passes/quick_multi_select_workgroup.h"
#include "support.hpp"

using namespace proxel;
using namespace proxel::passes;
using namespace proxel::unit;

namespace {

struct Selected {
  std::vector<std::uint32_t> indices;
  std::vector<float> values;
};

QuickMultiSelectParameters parameters_of(const std::vector<float>& values, std::uint32_t columns, std::uint32_t k,
                                         Selected& selected) {
  const auto rows = static_cast<std::uint32_t>(values.size() / columns);
  selected.indices.assign(std::size_t{rows} * k, 77);
  selected.values.assign(std::size_t{rows} * k, 77);
  QuickMultiSelectParameters parameters{};
  parameters.values = address_of(values.data());
  parameters.indices = address_of(selected.indices.data());
  parameters.selected = address_of(selected.values.data());
  parameters.rows = rows;
  parameters.columns = columns;
  parameters.row_stride = columns;
  parameters.k = k;
  parameters.selected_stride = k;
  return parameters;
}

void select(const QuickMultiSelectParameters& parameters) {
  reference::run(make_quick_multi_select_subgroup(parameters, 32, 1));
}

constexpr float inf = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

}  // namespace

TEST_CASE("quick multi-select orders by value, then by column, NaN last, then pads") {
  const std::vector<float> values = {3, -1, not_a_number, 0.0f, -0.0f, 3};
  Selected found;
  select(parameters_of(values, 6, 8, found));
  CHECK(found.indices == std::vector<std::uint32_t>{1, 3, 4, 0, 5, 2, no_neighbor, no_neighbor});
  CHECK(found.values[0] == -1);
  CHECK(std::bit_cast<std::uint32_t>(found.values[2]) == 0);  // -0 comes back as +0
  CHECK(std::bit_cast<std::uint32_t>(found.values[5]) == 0x7FC00000u);
  CHECK(found.values[7] == inf);
}

TEST_CASE("quick multi-select finds the largest too, NaN still last") {
  const std::vector<float> values = {3, -1, not_a_number, 7, 7, -inf};
  Selected found;
  auto parameters = parameters_of(values, 6, 7, found);
  parameters.largest_first = 1;
  select(parameters);
  CHECK(found.indices == std::vector<std::uint32_t>{3, 4, 0, 1, 5, 2, no_neighbor});
  CHECK(found.values[6] == -inf);
}

TEST_CASE("offsets move values before they are compared; payload replaces columns") {
  const std::vector<float> values = {5, 6, 7, 1, 2, 3};
  const std::vector<float> offsets = {0, -3, 0};
  const std::vector<std::uint32_t> payload = {10, 11, 12, 13, 14, 15};
  Selected found;
  auto parameters = parameters_of(values, 3, 2, found);
  parameters.offsets = address_of(offsets.data());
  parameters.first_index = 100;
  select(parameters);
  CHECK(found.indices == std::vector<std::uint32_t>{101, 100, 101, 100});
  CHECK(found.values == std::vector<float>{3, 5, -1, 1});
  parameters.payload = address_of(payload.data());
  select(parameters);
  CHECK(found.indices == std::vector<std::uint32_t>{11, 10, 14, 13});
}

TEST_CASE("a workgroup works on as many rows as it has subgroups of four or more") {
  CHECK(quick_multi_select_rows(1) == 32);
  CHECK(quick_multi_select_rows(4) == 32);
  CHECK(quick_multi_select_rows(32) == 4);
  CHECK(quick_multi_select_rows(128) == 1);
  CHECK(quick_multi_select_rows(256) == 1);
  // Within the smallest shared memory that a device may have.
  for (const std::uint32_t subgroup : {4u, 8u, 16u, 32u, 64u, 128u})
    CHECK(make_quick_multi_select_subgroup({}, subgroup, 1).shared_bytes <= 16384);
  CHECK(make_quick_multi_select_workgroup({}, 1, 128).shared_bytes <= 16384);
  CHECK(make_quick_multi_select_workgroup({}, 1, 512).shared_bytes <= 49152);
}
