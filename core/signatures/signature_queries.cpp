#include "signatures/signature_queries.hpp"

#include <algorithm>

#include "proxel/passes/signature_distance.h"

namespace proxel::signatures {

using namespace search;

namespace {

// Workgroups that share the objects of a query. Where limits leave out most groups, one looks
// through many, as long as there are enough for the device.
std::uint32_t distance_groups(const StoredSignatures& stored, std::uint32_t queries, bool limited) {
  constexpr std::uint32_t enough = 8192, most_groups = 128, least_groups = 8;
  if (!limited) return std::min(stored.group_count, largest_grid_extent);
  return std::clamp(enough / queries, std::min(divide_up(stored.group_count, most_groups), largest_grid_extent),
                    std::min(divide_up(stored.group_count, least_groups), largest_grid_extent));
}

}  // namespace

passes::SignatureSet from_query(passes::SignatureSet set, std::uint32_t first) {
  set.spans += std::uint64_t{first} * 8;
  set.terms += std::uint64_t{first} * 16;
  return set;
}

void record_query_terms(Recording& recording, const StoredSignatures& stored, const QueryMemory& memory,
                        std::uint64_t queries, std::uint32_t count) {
  record_terms(recording, memory.signatures.at(queries), queries + memory.signatures.groups, count, stored.scale,
               stored.dimensions);
}

std::uint64_t distance_stride(const StoredSignatures& stored) { return (stored.count + 3) / 4 * 4; }

void record_distances(Recording& recording, const StoredSignatures& stored, const QueryMemory& memory,
                      std::uint64_t queries, std::uint32_t first, std::uint32_t count, std::uint64_t distances,
                      std::uint64_t stride, std::uint64_t limits) {
  passes::SignatureDistanceParameters pass{};
  pass.queries = from_query(memory.signatures.at(queries), first);
  pass.objects = stored.set();
  pass.groups = stored.groups();
  pass.distances = distances;
  pass.limits = limits;
  pass.evaluated = queries + memory.evaluated + std::uint64_t{first} * 4;
  pass.group_count = stored.group_count;
  pass.distance_stride = static_cast<std::uint32_t>(stride);
  pass.alpha = stored.scale.alpha;
  pass.unit = static_cast<std::uint32_t>(stored.scale.unit);
  recording.record(passes::make_signature_distance(pass, stored.scale.kind, stored.dimensions,
                                                   distance_groups(stored, count, limits != 0), count));
}

}  // namespace proxel::signatures
