#pragma once

#include <algorithm>
#include <cstdint>

#include "search/check.hpp"
#include "session/pace.hpp"
#include "session/told.hpp"
#include "proxel/index.hpp"

namespace proxel::session {

/// The queries of a search.
struct Work {
  std::uint64_t queries = 0;
  std::uint64_t most = 1;  // at once, as far as memory goes
  double per_query = 1;    // as of Pace::take()
};

/// Goes through them in blocks, and tells how far it has come.
/// @param times  to which run() adds
/// @param run    (first, count): has a block answered
/// @param spoil  called where a block has been interrupted: what was prepared for it is not used again
template <typename Run, typename Spoil>
void each_block(const Work& work, Pace& pace, const Progress& progress, const SearchTimes& times, const Run& run,
                const Spoil& spoil) {
  Told told(progress, work.queries);
  // Blocks of equal size, which one round serves: to make another takes longer than most searches.
  const std::uint64_t blocks = std::max<std::uint64_t>(search::divide_up(work.queries, work.most), 1);
  const std::uint64_t most = search::divide_up(work.queries, blocks);
  for (std::uint64_t first = 0; first < work.queries;) {
    const std::uint64_t count = pace.take(work.queries - first, most, work.per_query);
    const double before = times.compute_milliseconds;
    told.begin(first + count);
    try {
      run(first, count);
    } catch (...) {
      spoil();
      throw;
    }
    pace.took(times.compute_milliseconds - before);
    first += count;
    told.reached(first);
  }
}

}  // namespace proxel::session
