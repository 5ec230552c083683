// What plans of selection promise before any device work: fields in their
// ranges, scratch within its limit, a method that serves.

#include <algorithm>
#include <cmath>

#include "proxel/passes/group_minima.h"
#include "proxel/passes/group_select.h"
#include "proxel/passes/stream_select.h"
#include "proxel/selection.hpp"
#include "support.hpp"

namespace proxel::unit {
namespace {

std::string refused_field(const SelectionDescription& description) {
  const auto device = open_device("cpu");
  try {
    SelectionPlan::make(*device, description);
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::invalid_argument);
    return error.subject();
  }
  return {};
}

SelectionDescription matrix(std::uint64_t rows, std::uint64_t columns, std::uint64_t k) {
  SelectionDescription description;
  description.rows = rows;
  description.columns = columns;
  description.k = k;
  return description;
}

TEST_CASE("a selection's fields are checked by name") {
  CHECK(refused_field(matrix(0, 10, 1)) == "rows");
  CHECK(refused_field(matrix(1, 0, 1)) == "columns");
  CHECK(refused_field(matrix(1, 0xFFFFFFFFull, 1)) == "columns");
  CHECK(refused_field(matrix(1, 10, 0)) == "k");
  SelectionDescription narrow = matrix(2, 10, 1);
  narrow.row_stride = 9;
  CHECK(refused_field(narrow) == "row_stride");
  SelectionDescription poor = matrix(2, 10, 1);
  poor.scratch_limit = 1000;
  CHECK(refused_field(poor) == "scratch_limit");
  CHECK(refused_field(matrix(2, 10, 1)).empty());
}

TEST_CASE("a selection's scratch stays within its limit") {
  const auto device = open_device("cpu");
  for (const SelectionMethod method :
       {SelectionMethod::automatic, SelectionMethod::threshold, SelectionMethod::radix_sort,
        SelectionMethod::quick_sort, SelectionMethod::radix_select, SelectionMethod::bucket_select,
        SelectionMethod::truncated_bitonic_sort, SelectionMethod::sample_select})
    for (const std::uint64_t k : {1ull, 100ull, 5000ull, 20000ull}) {
      SelectionDescription description = matrix(5000, 20000, k);
      description.method = method;
      description.scratch_limit = 1u << 20;
      if (!SelectionPlan::supports(*device, description)) continue;
      CHECK(SelectionPlan::make(*device, description).scratch_bytes() <= 1u << 20);
    }
}

TEST_CASE("a selection of the most rows is planned at once, however little it has at a time") {
  const auto device = open_device("cpu");
  for (const SelectionMethod method :
       {SelectionMethod::streaming, SelectionMethod::threshold, SelectionMethod::radix_sort,
        SelectionMethod::quick_sort, SelectionMethod::bucket_select, SelectionMethod::truncated_bitonic_sort,
        SelectionMethod::sample_select, SelectionMethod::quick_multi_select_subgroup,
        SelectionMethod::quick_multi_select_workgroup})
    for (const std::uint64_t k : {1ull, 1000ull, 20000ull}) {
      SelectionDescription description = matrix(0xFFFFFFFE, 20000, k);
      description.method = method;
      description.scratch_limit = 1u << 20;
      if (!SelectionPlan::supports(*device, description)) continue;
      CHECK(SelectionPlan::make(*device, description).method() == method);
    }
}

TEST_CASE("every k has a method, and a method that does not serve says why") {
  const auto device = open_device("cpu");
  for (const std::uint64_t k : {1ull, 2048ull, 2049ull, 100000ull, 100001ull})
    CHECK(SelectionPlan::make(*device, matrix(1, 100000, k)).method() != SelectionMethod::automatic);
  SelectionDescription description = matrix(1, 100000, 50000);
  description.method = SelectionMethod::streaming;
  const Support support = SelectionPlan::supports(*device, description);
  CHECK_FALSE(support.supported);
  CHECK(support.limit == Limit::neighbors);
  CHECK_THROWS_AS(SelectionPlan::make(*device, description), Error);
}

TEST_CASE("sampling selects up to whole rows, and is a processor's choice up to half of them") {
  const auto device = open_device("cpu");
  for (std::uint64_t columns = 9996; columns <= 10004; ++columns)
    for (std::uint64_t k = 4997; k <= 5003; ++k) {
      CAPTURE(columns);
      CAPTURE(k);
      SelectionDescription description = matrix(3, columns, k);
      CHECK(SelectionPlan::make(*device, description).method() ==
            (2 * k <= columns ? SelectionMethod::sample_select : SelectionMethod::radix_sort));
    }
  for (const std::uint64_t k : {9999, 10000, 10001}) {
    SelectionDescription description = matrix(3, 10000, k);
    description.method = SelectionMethod::sample_select;
    const Support support = SelectionPlan::supports(*device, description);
    CHECK(support.supported == (k <= 10000));
    if (!support) CHECK(support.limit == Limit::neighbors);
  }
}

TEST_CASE("sampling counts the keys of a row's lists in 32 bits") {
  const auto device = open_device("cpu");
  for (const std::uint64_t more : {0, 1}) {
    SelectionDescription description = matrix(1, 0xFFFFFFFE, (1ull << 30) + more);
    description.method = SelectionMethod::sample_select;
    CHECK(SelectionPlan::supports(*device, description).supported == (more == 0));
  }
}

TEST_CASE("buffers too small for a selection are refused by name") {
  const auto device = open_device("cpu");
  const SelectionPlan plan = SelectionPlan::make(*device, matrix(3, 100, 7));
  const auto values = device->create_buffer(3 * 100 * 4, MemoryKind::device);
  const auto results = device->create_buffer(3 * 7 * 4, MemoryKind::device);
  const auto commands = device->create_commands(Timing::none);
  commands->begin();
  SelectionBuffers buffers{*values, {}, {}, *results, BufferView(*results, 0, 3 * 7 * 4 - 4)};
  CHECK_THROWS_WITH_AS(plan.record(*commands, buffers), doctest::Contains("selected buffer"), Error);
  buffers.selected = *results;
  buffers.values = BufferView(*values, 4, 3 * 100 * 4 - 4);
  CHECK_THROWS_WITH_AS(plan.record(*commands, buffers), doctest::Contains("values buffer"), Error);
}

TEST_CASE("row selection by hand") {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> values = {2.0f, -0.0f, nan, 0.0f, -1.0f};
  for (const SelectionMethod method :
       {SelectionMethod::streaming, SelectionMethod::radix_sort, SelectionMethod::quick_sort,
        SelectionMethod::bucket_select, SelectionMethod::truncated_bitonic_sort})
    for (const bool largest_first : {false, true}) {
      const auto device = open_device("cpu");
      SelectionDescription description = matrix(1, values.size(), 6);
      description.method = method;
      description.largest_first = largest_first;
      const SelectionPlan plan = SelectionPlan::make(*device, description);
      const auto from = device->create_buffer(values.size() * 4, MemoryKind::upload);
      std::memcpy(from->mapped(), values.data(), values.size() * 4);
      const auto scratch = device->create_buffer(plan.scratch_bytes() + 4, MemoryKind::device);
      const auto indices = device->create_buffer(6 * 4, MemoryKind::readback);
      const auto selected = device->create_buffer(6 * 4, MemoryKind::readback);
      const auto commands = device->create_commands(Timing::none);
      commands->begin();
      plan.record(*commands, {*from, {}, *scratch, *indices, *selected});
      commands->end();
      device->submit(*commands);
      device->wait();
      const auto* found = static_cast<const std::uint32_t*>(indices->mapped());
      const auto* what = static_cast<const float*>(selected->mapped());
      const std::vector<std::uint32_t> expected = largest_first
                                                      ? std::vector<std::uint32_t>{0, 1, 3, 4, 2, 0xFFFFFFFFu}
                                                      : std::vector<std::uint32_t>{4, 1, 3, 0, 2, 0xFFFFFFFFu};
      CHECK(std::vector<std::uint32_t>(found, found + 6) == expected);
      CHECK_FALSE(std::signbit(what[1]));
      CHECK(std::isnan(what[4]));
      CHECK(std::isinf(what[5]));
      CHECK(std::signbit(what[5]) == largest_first);
    }
}

TEST_CASE("the fast selection of whole rows writes what the reference writes") {
  for (const Temper temper : all_tempers)
    for (const bool largest_first : {false, true})
      for (const std::uint32_t k : {1u, 5u, 300u, 1003u}) {
        constexpr std::uint32_t rows = 4;
        constexpr std::uint32_t columns = 1001;
        const Matrix<float> values = make_values(rows, columns, temper, 5);
        std::vector<std::uint32_t> output(2 * rows * k, 0xA5A5A5A5u);
        passes::StreamSelectParameters parameters{};
        parameters.rows = {address_of(values.data()), rows, columns, columns, 0};
        parameters.result = {0, address_of(output.data()), address_of(output.data() + rows * k), k, 1};
        expect_same(passes::make_stream_select(parameters, largest_first, 128, 4096), output);

        std::vector<std::uint64_t> minima(rows * 32, 7);
        passes::GroupMinimaParameters groups{};
        groups.rows = parameters.rows;
        groups.minima = address_of(minima.data());
        groups.groups = 32;
        groups.steps = 4;
        expect_same(passes::make_group_minima(groups, largest_first, 32, 1), minima);

        std::fill(output.begin(), output.end(), 0xA5A5A5A5u);
        expect_same(passes::make_group_select({parameters.rows, parameters.result, groups.minima, 32, 4, 1, 0},
                                              largest_first, 128, 4096),
                    output);
      }
}

}  // namespace
}  // namespace proxel::unit
