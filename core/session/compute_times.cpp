#include "session/compute_times.hpp"

#include <algorithm>
#include <iterator>

namespace proxel::session {

void add_compute_times(SearchTimes& times, const Commands& commands, bool timed, const Stopwatch& since) {
  times.compute_milliseconds += timed ? commands.milliseconds() : since.milliseconds();
  auto passes = commands.pass_times();
  std::move(passes.begin(), passes.end(), std::back_inserter(times.passes));
}

void add_rungs(SearchTimes& times, std::vector<RungCount> rungs) {
  for (RungCount& rung : rungs) {
    const auto same = std::find_if(times.rungs.begin(), times.rungs.end(),
                                   [&](const RungCount& one) { return one.rung == rung.rung; });
    if (same == times.rungs.end())
      times.rungs.push_back(std::move(rung));
    else
      same->queries += rung.queries;
  }
}

}  // namespace proxel::session
