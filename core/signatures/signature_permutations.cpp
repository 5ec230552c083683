#include "signatures/signature_permutations.hpp"

#include <algorithm>

#include "passes/permutation_positions.hpp"
#include "permutation/permutants.hpp"
#include "search/check.hpp"
#include "session/run_once.hpp"
#include "signatures/packed_queries.hpp"
#include "signatures/stored_pivots.hpp"

namespace proxel::signatures {
namespace {

// The order of the permutants for signatures first … first + count - 1. They are packed as queries are, so that
// a signature of the index and the same one as a query have the same permutation.
class Block {
 public:
  Block(Device& device, const SignaturePermutations& stored, const Signatures& signatures, std::uint64_t first,
        std::uint32_t count)
      : stored_(stored),
        first_(static_cast<std::uint32_t>(first)),
        memory_(describe(signatures, first, count), dimensions()) {
    const auto staging = device.create_buffer(memory_.bytes, MemoryKind::upload);
    pack_queries(signatures, first, describe(signatures, first, count), stored.permutants, nullptr,
                 static_cast<std::byte*>(staging->mapped()));
    const auto packed = device.create_buffer(memory_.bytes, MemoryKind::device);
    const auto distances = device.create_buffer(count * permutant_stride(stored) * 4, MemoryKind::device);
    session::run_once(device, [&](Recording& recording) {
      recording.copy(*staging, *packed);
      recording.barrier();
      record_query_terms(recording, stored.permutants, memory_, packed->address(), count);
      recording.barrier();
      record_permutations(recording, stored, memory_, packed->address(), 0, count, distances->address(),
                          stored.permutations.positions->address(), first_);
    });
  }

 private:
  std::uint32_t dimensions() const { return stored_.permutants.dimensions; }
  static SignatureSearchDescription describe(const Signatures& signatures, std::uint64_t first, std::uint32_t count) {
    SignatureSearchDescription description;
    description.queries = count;
    description.places = SignaturePlaces(signatures, first, count, query_alignment).places;
    return description;
  }

  const SignaturePermutations& stored_;
  std::uint32_t first_;
  QueryMemory memory_;
};

// Signatures of a block: what they and their distances take is within the limit. A multiple of the blocks of
// positions, so that no two submissions write to the same words.
std::uint32_t signatures_at_once(const Signatures& signatures, std::uint64_t stride, std::uint64_t scratch_limit) {
  const std::uint64_t longest = std::max<std::uint64_t>(signatures.longest(), 1) + query_alignment;
  const std::uint64_t each = 2 * longest * (signatures.dimensions() + 1) * 4 + stride * 4 + 64;
  const std::uint64_t blocks = scratch_limit / each / passes::permutation_block;
  return static_cast<std::uint32_t>(
      std::clamp<std::uint64_t>(blocks, 1, largest_grid_extent / passes::permutation_block) *
      passes::permutation_block);
}

}  // namespace

std::uint64_t permutant_stride(const SignaturePermutations& stored) { return distance_stride(stored.permutants); }

void record_permutations(Recording& recording, const SignaturePermutations& stored, const QueryMemory& memory,
                         std::uint64_t queries, std::uint32_t first, std::uint32_t count, std::uint64_t distances,
                         std::uint64_t positions, std::uint32_t first_object) {
  record_distances(recording, stored.permutants, memory, queries, first, count, distances, permutant_stride(stored));
  recording.barrier();
  passes::PermutationsParameters order{};
  order.distances = distances;
  order.positions = positions;
  order.objects = count;
  order.permutants = stored.permutations.permutants;
  order.object_stride = static_cast<std::uint32_t>(permutant_stride(stored));
  order.permutant_stride = 1;
  order.first_object = first_object;
  order.kept = stored.permutations.kept;
  recording.record(passes::make_permutations(order));
}

SignaturePermutations::SignaturePermutations(Device& device, const Signatures& signatures,
                                             const SimilarityFunction& similarity,
                                             const std::vector<std::uint32_t>& chosen,
                                             const PermutationOptions& options, const Progress& progress)
    : permutants(device, picked(signatures, chosen), similarity) {
  permutations.objects = signatures.size();
  permutations.permutants = static_cast<std::uint32_t>(chosen.size());
  permutations.kept = permutation::kept_permutants(options, permutations.permutants);
  permutations.distance = options.distance;
  permutations.positions =
      device.create_buffer(passes::permutation_bytes(signatures.size(), permutations.permutants), MemoryKind::device);
  // Places past the last object are read as well; what stands there does not count.
  session::run_once(device, [&](Recording& recording) { recording.fill(*permutations.positions, 0); });
  const std::uint32_t at_once = signatures_at_once(signatures, permutant_stride(*this), options.scratch_limit);
  for (std::uint64_t first = 0; first < signatures.size(); first += at_once) {
    const auto count = static_cast<std::uint32_t>(std::min<std::uint64_t>(at_once, signatures.size() - first));
    Block(device, *this, signatures, first, count);
    if (progress) progress(first + count, signatures.size());
  }
}

}  // namespace proxel::signatures
