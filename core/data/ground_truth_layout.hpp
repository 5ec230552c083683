#pragma once

#include "data/byte_source.hpp"
#include "proxel/ground_truth.hpp"

namespace proxel::data {

/// Ground truth of big-ann-benchmarks, with distances or without. Throws Error(malformed_file | out_of_memory).
GroundTruth parse_ground_truth(const ByteSource& source);
/// That of a range search.
RangeNeighbors parse_range_ground_truth(const ByteSource& source);

/// Writes an .hdf5 file of ann-benchmarks. Throws Error(input_output), and Error(unsupported) where HDF5 is left out.
void write_ground_truth_hdf5(const std::string& path, const GroundTruth& truth, Metric metric);
/// Throws Error(unsupported) where HDF5 is left out.
void require_hdf5(const std::string& path);

/// The largest id that programs which read 32 bits with a sign can tell from "none".
inline constexpr std::int64_t largest_short_id = INT32_MAX;
bool has_long_ids(const GroundTruth& truth);

}  // namespace proxel::data
