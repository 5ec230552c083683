#pragma once

#include <optional>

#include "bench/device_rows.hpp"
#include "bench/recorded_search.hpp"
#include "bench/suite.hpp"

namespace proxel::tool {

/// Random data, as many query sets as a benchmark may rotate through, and the
/// CPU's answers to them. One l1 nearest neighbour per query.
struct Workload {
  Shape shape;
  std::uint32_t query_sets = 1;  ///< shape.queries queries each
  std::uint32_t checked = 1;     ///< queries of each set that have an expected answer
  Matrix<float> data;
  Matrix<float> queries;  ///< [query_sets * shape.queries x dimensions]
  Neighbors expected;     ///< [query_sets * checked x 1]

  /// The answers of the first `sets` query sets.
  Neighbors expected_of(std::uint32_t sets) const;
};

/// The workload of given data.
/// @param queries  as many as make whole sets of `queries_per_set`
Workload workload_of(Matrix<float> data, Matrix<float> queries, std::uint32_t queries_per_set, ProgressBar& bar);

/// Makes the workload, or keeps the one there is where the shape is the same.
const Workload& make_workload(std::optional<Workload>& kept, const Shape& shape, std::uint64_t seed, ProgressBar& bar);

/// Times the scan, answers checked.
SearchTimings time_scan(Device& device, const Workload& work, const Patience& patience, Recorder& recorder);

/// Times texel search in that form, answers checked.
/// @param form   its block_rows does not matter: the database is in blocks already
/// @param parts  false: compute alone
SearchTimings time_texel(Device& device, const Workload& work, const DeviceTexels& texels, const BustosOptions& form,
                         bool parts, const Patience& patience, Recorder& recorder);

/// Times the plain loop, the peer of Bustos 2006, figure 3: a loop over the rows on this machine's processor, checked.
/// @param threads  0: one for each core
Timed time_plain_loop(const Workload& work, std::uint32_t threads, const Patience& patience, Recorder& recorder);

/// Copies of a database of that shape to rotate through on that device.
std::uint32_t rotation(const Device& device, const Workload& work);

}  // namespace proxel::tool
