#pragma once

#include <vector>

#include "bench/bandwidth.hpp"
#include "bench/recorder.hpp"
#include "bench/suite.hpp"

namespace proxel::tool {

/// Sorting whole rows, as the permutation index of Lopresti 2013 does: GPU-Qsort
/// against the modern selection, CUB and std::sort. Group "sort_rows".
/// @param bandwidths  of options.devices, in that order
void measure_sort_rows(const BenchOptions& options, const std::vector<Bandwidth>& bandwidths,
                       Recorder& recorder, ProgressBar& bar);

}  // namespace proxel::tool
