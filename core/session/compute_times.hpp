#pragma once

#include "session/stopwatch.hpp"
#include "proxel/report.hpp"

namespace proxel::session {

/// Adds what work that has finished took, as a whole and by passes.
/// @param timed  whether the device measured it; otherwise the host's time counts
/// @param since  made when the wait for it began
void add_compute_times(SearchTimes& times, const Commands& commands, bool timed, const Stopwatch& since);
/// The same of work that nobody waited for alone; nothing where the device does not measure it.
void add_compute_times(SearchTimes& times, const Commands& commands);
/// Adds what another search took and did, but for its method and its devices.
void add(SearchReport& report, const SearchReport& other);
/// Whether there are queries that no rung decided.
bool leaves_undecided(const SearchReport& report);
/// Adds what a block's rungs decided.
void add_rungs(SearchReport& report, std::vector<RungCount> rungs);

}  // namespace proxel::session
