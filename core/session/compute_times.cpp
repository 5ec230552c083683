#include "session/compute_times.hpp"

#include <algorithm>
#include <iterator>

namespace proxel::session {

void add_compute_times(SearchTimes& times, const Commands& commands, bool timed, const Stopwatch& since) {
  if (!timed) times.compute_milliseconds += since.milliseconds();
  add_compute_times(times, commands);
}

void add_compute_times(SearchTimes& times, const Commands& commands) {
  times.compute_milliseconds += commands.milliseconds();
  auto passes = commands.pass_times();
  std::move(passes.begin(), passes.end(), std::back_inserter(times.passes));
}

void add(SearchReport& report, const SearchReport& other) {
  report.times.upload_milliseconds += other.times.upload_milliseconds;
  report.times.compute_milliseconds += other.times.compute_milliseconds;
  report.times.readback_milliseconds += other.times.readback_milliseconds;
  report.times.total_milliseconds += other.times.total_milliseconds;
  report.times.passes.insert(report.times.passes.end(), other.times.passes.begin(), other.times.passes.end());
  add_rungs(report, other.rungs);
  report.compared += other.compared;
  report.evaluated += other.evaluated;
}

bool leaves_undecided(const SearchReport& report) {
  return std::ranges::any_of(report.rungs,
                             [](const RungCount& one) { return one.rung == "undecided" && one.queries != 0; });
}

void add_rungs(SearchReport& report, std::vector<RungCount> rungs) {
  for (RungCount& rung : rungs) {
    const auto same = std::find_if(report.rungs.begin(), report.rungs.end(),
                                   [&](const RungCount& one) { return one.rung == rung.rung; });
    if (same == report.rungs.end())
      report.rungs.push_back(std::move(rung));
    else
      same->queries += rung.queries;
  }
}

}  // namespace proxel::session
