#pragma once

// Which queries scan_undecided serves, how they share the lists, and what becomes of these.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "passes/memory.hpp"
#include "proxel/metric.hpp"
#include "proxel/passes/scan_select.h"
#include "proxel/passes/scan_undecided.h"

namespace proxel::passes {

/// The queries that a scan_undecided serves. Making it writes `told` as well.
struct Undecided {
  std::uint32_t count = 0;             ///< queries served
  std::uint32_t groups = 1;            ///< lists of each
  std::vector<std::uint32_t> numbers;  ///< the queries' numbers

  explicit Undecided(const ScanUndecidedParameters& parameters) {
    std::uint32_t counts[3] = {};
    if (parameters.few != 0) {
      counts[0] = append(parameters.few, parameters.most_few);
      counts[2] = at<const std::uint32_t>(parameters.few)[1];
    }
    counts[1] = append(parameters.tickets + undecided_ticket_bytes(parameters.lists), UINT32_MAX);
    if (parameters.told != 0) std::ranges::copy(counts, at<std::uint32_t>(parameters.told));
    numbers.erase(numbers.begin(), numbers.begin() + std::min<std::size_t>(parameters.first_undecided, numbers.size()));
    if (numbers.size() > parameters.lists) numbers.resize(parameters.lists);
    count = static_cast<std::uint32_t>(numbers.size());
    // A workgroup takes whole steps of rows.
    const std::uint32_t steps = parameters.rows.count / (scan_tiles_per_step * tile_rows);
    if (count != 0) groups = std::max(std::min(parameters.lists / count, steps), 1u);
  }

 private:
  // Returns how many the list counts. @param list  screen_refine's: count, 3 words, numbers
  std::uint32_t append(std::uint64_t list, std::uint32_t most) {
    const auto* words = at<const std::uint32_t>(list);
    numbers.insert(numbers.end(), words + 4, words + 4 + std::min(words[0], most));
    return words[0];
  }
};

/// Address of the key behind which the search of the j-th query that is served goes on; 0: all keys are wanted.
inline std::uint64_t undecided_after(const ScanUndecidedParameters& parameters, std::uint64_t j) {
  return parameters.first_rank == 0 ? 0 : parameters.found + j * 8;
}

/// Whether neighbours are found in rounds.
inline bool in_rounds(const ScanUndecidedParameters& parameters) { return parameters.k < parameters.result_stride; }

/// Address of the first list of the j-th query that is served.
inline std::uint64_t undecided_lists(const ScanUndecidedParameters& parameters, const Undecided& served,
                                     std::uint64_t j) {
  return parameters.found + (in_rounds(parameters) ? undecided_after_bytes(parameters.lists) : 0) +
         j * served.groups * parameters.k * 8;
}

/// Merges the lists of the j-th query that is served, and writes its results.
void finish_undecided(const ScanUndecidedParameters& parameters, Metric metric, const Undecided& served,
                      std::uint64_t j);

}  // namespace proxel::passes
