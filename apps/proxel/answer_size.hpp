#pragma once

#include <cstdint>

#include "proxel/metric.hpp"

namespace proxel::tool {

/// Throws Error(invalid_argument) where the memory that is free cannot hold k neighbours of
/// so many queries; warns of a large answer that is mostly padding, as k exceeds the rows.
/// @param as_json  queries whose neighbours become JSON, which takes much more
void check_answer_size(std::uint64_t queries, std::uint64_t k, std::uint64_t rows, std::uint64_t as_json = 0);

/// Bytes of memory that the machine, and the container, have free.
std::uint64_t free_memory();

/// Throws Error(invalid_argument), which names the option, where no distance of the metric can be within the radius.
void check_radius(Metric metric, float radius, const char* option = "--radius");

}  // namespace proxel::tool
