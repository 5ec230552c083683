#include "index/compute_times.hpp"

#include <algorithm>
#include <iterator>

namespace proxel::index {

void add_compute_times(SearchTimes& times, const Commands& commands, bool timed, const Stopwatch& since) {
  times.compute_milliseconds += timed ? commands.milliseconds() : since.milliseconds();
  auto passes = commands.pass_times();
  std::move(passes.begin(), passes.end(), std::back_inserter(times.passes));
}

}  // namespace proxel::index
