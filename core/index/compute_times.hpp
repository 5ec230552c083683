#pragma once

#include "index/stopwatch.hpp"
#include "proxel/index.hpp"

namespace proxel::index {

/// Adds what work that has finished took, as a whole and by passes.
/// @param timed  whether the device measured it; otherwise the host's time counts
/// @param since  made when the wait for it began
void add_compute_times(SearchTimes& times, const Commands& commands, bool timed, const Stopwatch& since);

}  // namespace proxel::index
