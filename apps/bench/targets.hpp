#pragma once

#include <string>

#include "bench/bandwidth.hpp"
#include "bench/recorded_search.hpp"
#include "bench/suite.hpp"

namespace proxel::tool {

/// Rows of one search: compute under the group's name; upload, read-back and
/// whole call under GROUP_upload, GROUP_readback and GROUP_call.
/// @param bandwidth  where given, the remark tells how much of it was reached
void add_search_rows(const std::string& group, const std::string& name, const Shape& shape, const SearchTimings& times,
                     const Bandwidth* bandwidth, Recorder& recorder);

/// The row of a search for the k nearest.
BenchRow knn_row(const std::string& group, const std::string& name, Metric metric, const Shape& shape, std::uint64_t k,
                 const Timed& timed, std::string remark = {});

/// The row of one l1 nearest-neighbour search.
BenchRow search_row(const std::string& group, const std::string& name, const Shape& shape, const Timed& timed,
                    const Bandwidth* bandwidth = nullptr);

/// Notes what the suites have in common: data, clocks, rotation, checking.
void note_method(const BenchOptions& options, Recorder& recorder);

/// Rows "ceiling": what the device's memory gives, in TB/s as in the peers' script.
void add_ceilings(const std::string& device, const Bandwidth& bandwidth, Recorder& recorder);

/// Measures every device's, in order, and adds their ceilings.
std::vector<Bandwidth> measure_bandwidths(const BenchOptions& options, Recorder& recorder);

}  // namespace proxel::tool
