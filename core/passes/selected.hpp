#pragma once

#include <algorithm>

#include "passes/memory.hpp"

namespace proxel::passes {

/// Slots that stand for a query, of those that a pass was made for (proxel/passes/screen_refine.h).
/// @param selected  address of the list; 0: all of them
/// @param first     entry that slot 0 stands for
inline std::uint32_t selected_count(std::uint64_t selected, std::uint32_t first, std::uint32_t slots) {
  if (selected == 0) return slots;
  const std::uint32_t all = *at<const std::uint32_t>(selected);
  return std::min(slots, all - std::min(all, first));
}

}  // namespace proxel::passes
