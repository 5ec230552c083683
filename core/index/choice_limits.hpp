#pragma once

// From where on a method is worth its preparations: what Method::automatic goes by beside expected_times.hpp, and what
// `proxel-bench cliffs` walks around.

#include <algorithm>
#include <cstdint>

#include "proxel/device.hpp"

namespace proxel::index {

// Fused. Below this a canonical scan is over before the several passes of a screened search have started: queries, and rows.
inline constexpr std::uint32_t worthwhile_fused_queries = 2;
inline constexpr std::uint64_t worthwhile_rows = 1024;
// Rows from which on a processor may have codes.
inline constexpr std::uint64_t worthwhile_coded_rows = 8192;
/// Queries up to which rows that stay in host memory are searched in codes on the device: more take as long by l1 as the
/// rows over the link, or are likely to have one among them that codes leave undecided, for which the rows pass in any
/// case (docs/lab/streaming.md).
inline std::uint64_t most_streamed_code_queries(const Device& device) {
  if (device.capabilities().runs_on_host) return 128;
  return device.info().backend == BackendKind::cuda ? 256 : 192;
}
// On the CPU encoding the rows takes as long as so many scans: it is done after as many searches that codes would serve.
inline constexpr std::uint64_t worthwhile_searches_on_cpu = 24;
// Copies of rows may take the device's memory, with the rows themselves, up to this share. A copy of integers of a byte may take all but a
// tenth, which blocks and answers have: without it every search widens the rows, and it is as large as they are where dimensions are a
// multiple of 128.
inline constexpr double memory_share = 0.75, integer_memory_share = 0.9;
inline double memory_for_rows_and_copies(const Device& device, double share = memory_share) {
  return share * static_cast<double>(device.capabilities().memory_bytes);
}
/// What such copies may take beside that, bytes.
inline std::uint64_t room_beside(const Device& device, std::uint64_t bytes, double share = memory_share) {
  const auto room = static_cast<std::uint64_t>(memory_for_rows_and_copies(device, share));
  return room - std::min(room, bytes);
}
// In up to so many dimensions codes are not taken: boxes, and where there are matrix units halves, are there for them.
inline constexpr std::uint32_t few_dimensions = 8;
// From so many dimensions on codes left every query of 1,000,000 normal rows undecided.
inline constexpr std::uint32_t undecided_dimensions = 450;

// Boxes. Building sorts the rows once per dimension, which takes a device of its own as long as so many scans of one query: fewer queries
// have boxes once the searches so far, or a plan that is recorded, would have repaid them.
inline constexpr std::uint32_t worthwhile_bvh_queries = 32;
// A plan that a caller records is executed about so often, for what is repaid by several searches alone.
inline constexpr std::uint64_t executions_of_plan = 1000;

}  // namespace proxel::index
