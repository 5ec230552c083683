#pragma once

// Ground truth: the true neighbours of queries, in the files by which benchmarks of similarity search exchange them.

#include <cstdint>
#include <string>

#include "proxel/export.h"
#include "proxel/matrix.hpp"
#include "proxel/metric.hpp"
#include "proxel/neighbors.hpp"

PROXEL_PUBLIC_BEGIN
namespace proxel {

/// The k nearest rows of each query, by numbers of any size.
struct GroundTruth {
  Matrix<std::int64_t> ids;  ///< [queries x k]; -1 in slots for which no row is available
  Matrix<float> distances;   ///< [queries x k], or without values where none are known
};

/// Reads ground truth, whoever wrote it:
///   .ibin, .bin and names without an ending: uint32 queries, uint32 k, then the ids and then the distances
///     (big-ann-benchmarks, DiskANN), or ids alone (cuVS);
///   .ivecs, .npy: ids alone;
///   .hdf5, .h5: "neighbors" and, where it is there, "distances" (ann-benchmarks).
/// Ids of 32 bits that are all ones stand for -1, others above 2^31 for themselves.
/// Throws Error(not_found | malformed_file | unsupported | input_output | out_of_memory).
GroundTruth read_ground_truth(const std::string& path);

/// Whether write_ground_truth() writes distances to such a file beside the ids.
bool holds_distances(const std::string& path);

/// Throws what write_ground_truth() would of so much, before there is anything to be written.
/// @param rows  of the database: ids are below it
void check_ground_truth_file(const std::string& path, std::uint64_t queries, std::uint64_t k, std::uint64_t rows);

/// Writes by the file's name:
///   .ibin: as big-ann-benchmarks has it, with distances where `truth` has them; ids of 32 bits, at most 2^31-1;
///   .ivecs: ids of 32 bits alone;
///   .npy: ids of 64 bits alone;
///   .hdf5, .h5: as ann-benchmarks has it, "neighbors", of 64 bits where there are ids above 2^31-1, and "distances";
///     the file's attribute "distance" is "euclidean" of l2, "angular" of cosine and the metric's own name of others.
/// The file appears whole or not at all.
/// Throws Error: invalid_argument where ids do not fit or shapes differ; unsupported for other names, and for .hdf5
/// where HDF5 is not built in; input_output.
void write_ground_truth(const std::string& path, const GroundTruth& truth, Metric metric);

/// Reads the ground truth of a range search as big-ann-benchmarks has it, whatever the file's name: uint32 queries,
/// uint32 matches, uint32 matches of each query, their ids, their distances.
/// Throws as read_ground_truth().
RangeNeighbors read_range_ground_truth(const std::string& path);

/// Writes such a file; it appears whole or not at all.
/// Throws Error: invalid_argument where queries, matches or an id exceed 2^31-1; input_output.
void write_range_ground_truth(const std::string& path, const RangeNeighbors& truth);

}  // namespace proxel
PROXEL_PUBLIC_END
