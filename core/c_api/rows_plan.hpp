#pragma once

#include <memory>

#include "proxel/range.hpp"
#include "proxel/selection.hpp"

namespace proxel::c_api {

// Plans whose rows, or values, the caller brings when they are recorded.
// They throw Error(invalid_argument | unsupported | out_of_memory) naming the field at fault.

std::unique_ptr<Plan> plan_scan(Device& device, const SearchDescription& description, std::uint32_t row_stride);
/// Makes the hierarchy anew at every execution.
std::unique_ptr<Plan> plan_bvh(Device& device, const SearchDescription& description, std::uint32_t row_stride);
std::unique_ptr<Plan> plan_range(Device& device, const RangeDescription& description, std::uint32_t row_stride);
std::unique_ptr<Plan> plan_selection(Device& device, const SelectionDescription& description);

}  // namespace proxel::c_api
