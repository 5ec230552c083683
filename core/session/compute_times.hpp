#pragma once

#include "session/stopwatch.hpp"
#include "proxel/index.hpp"

namespace proxel::session {

/// Adds what work that has finished took, as a whole and by passes.
/// @param timed  whether the device measured it; otherwise the host's time counts
/// @param since  made when the wait for it began
void add_compute_times(SearchTimes& times, const Commands& commands, bool timed, const Stopwatch& since);
/// Adds what a block's rungs decided.
void add_rungs(SearchTimes& times, std::vector<RungCount> rungs);

}  // namespace proxel::session
