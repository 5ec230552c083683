#pragma once

// A case of stream_select: three rows, the k smallest of each.

#include <algorithm>
#include <bit>
#include <string>
#include <utility>
#include <vector>

#include "case.hpp"
#include "pass_script.hpp"
#include "proxel/passes/stream_select.h"
#include "random.hpp"

namespace proxel::conformance {

/// @param fill      (random, row, its values): makes a row
/// @param capacity  of the pool, at least
template <typename Fill>
Case stream_select_case(std::string name, bool quick, std::uint32_t workgroup, std::uint32_t k, std::uint32_t columns,
                        Fill fill, bool largest_first = false, std::uint32_t capacity = 512) {
  return {std::move(name), quick, [=](const Context& context) {
    constexpr std::uint32_t rows = 3;
    Random random(context.seed);
    std::vector<float> values(std::uint64_t{rows} * columns);
    for (std::uint32_t row = 0; row < rows; ++row) fill(random, row, values.data() + std::uint64_t{row} * columns);
    return check_passes(context, [=](PassScript& script) {
      passes::StreamSelectParameters parameters{};
      parameters.rows = {script.input("values", values), rows, columns, columns, 0};
      parameters.result = {0, script.output("indices", 4 * rows * k), script.output("selected", 4 * rows * k), k, 1};
      script.add_pass(passes::make_stream_select(parameters, largest_first, workgroup,
                                                 std::max({4 * workgroup, std::bit_ceil(2 * k), capacity})));
    });
  }};
}

}  // namespace proxel::conformance
