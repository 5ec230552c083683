#pragma once

#include <cstdint>
#include <vector>

#include "passes/order.hpp"
#include "proxel/passes/quick_multi_select_subgroup.h"

namespace proxel::passes {

/// Writes the k smallest of one row, as the passes quick_multi_select_* do.
/// @param keys  working memory, kept between rows
void select_smallest(const QuickMultiSelectParameters& parameters, std::uint64_t row, std::vector<std::uint64_t>& keys);

}  // namespace proxel::passes
