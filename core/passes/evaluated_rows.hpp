#pragma once

// What screen_refine and screen_survivors do, whatever evaluates the rows that screening left.

#include <cstdint>
#include <functional>
#include <vector>

#include "passes/order.hpp"
#include "passes/screened_row.hpp"
#include "proxel/pass.hpp"

namespace proxel::passes {

/// Writes the key of each of the rows: its canonical distance to the query [dimensions], and its number.
using EvaluateRows =
    std::function<void(const float* query, const std::vector<std::uint32_t>& rows, std::uint64_t* keys)>;

void refine(const Pass& screen_refine, const EvaluateRows& evaluate);
void list_survivors(const Pass& screen_survivors, const EvaluateRows& evaluate);

/// The key of one row, by the parameters and constants of either pass.
template <typename Parameters, typename Constants>
std::uint64_t screened_key(const Parameters& parameters, const Constants& constants, const float* query,
                           std::uint32_t row) {
  const float distance = screened_distance(constants, query, parameters.rows, row, parameters.dimensions);
  return make_key(distance_key(distance, largest_first(constants.metric)), row);
}

/// One row after another, as the reference does.
template <typename Parameters, typename Constants>
EvaluateRows one_by_one(const Parameters& parameters, const Constants& constants) {
  return [=](const float* query, const std::vector<std::uint32_t>& rows, std::uint64_t* keys) {
    for (const std::uint32_t row : rows) *keys++ = screened_key(parameters, constants, query, row);
  };
}

}  // namespace proxel::passes
