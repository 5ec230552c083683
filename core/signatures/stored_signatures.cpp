#include "signatures/stored_signatures.hpp"

#include <algorithm>

#include "proxel/passes/signature_terms.h"
#include "search/check.hpp"
#include "session/run_once.hpp"

namespace proxel::signatures {

void record_terms(Recording& recording, const passes::SignatureSet& set, std::uint64_t groups,
                  std::uint32_t group_count, const SimilarityScale& scale, std::uint32_t dimensions) {
  passes::SignatureTermsParameters terms{};
  terms.signatures = set;
  terms.groups = groups;
  terms.group_count = group_count;
  terms.alpha = scale.alpha;
  recording.record(passes::make_signature_terms(terms, scale.kind, dimensions));
}

StoredSignatures::StoredSignatures(Device& device, const Signatures& signatures, const SimilarityFunction& similarity)
    : StoredSignatures(device, signatures, similarity, SignaturePlaces(signatures, 0, signatures.size())) {}

StoredSignatures::StoredSignatures(Device& device, const Signatures& signatures, const SimilarityFunction& similarity,
                                   const SignaturePlaces& places)
    : function(similarity),
      scale(similarity),
      count(signatures.size()),
      dimensions(signatures.dimensions()),
      centroids(signatures.offsets().back()),
      longest(signatures.longest()),
      largest_weight(0),
      group_count(places.group_count()),
      layout(signatures.size(), places.places, signatures.dimensions(), places.group_count()) {
  for (std::uint64_t i = 0; i < count; ++i) largest_weight = std::max(largest_weight, total_weight(signatures, i));
  const auto staging = device.create_buffer(layout.bytes, MemoryKind::upload);
  pack(signatures, 0, scale, places, layout, static_cast<std::byte*>(staging->mapped()));
  memory = device.create_buffer(layout.bytes, MemoryKind::device);
  session::run_once(device, [&](Recording& recording) {
    recording.copy(*staging, *memory);
    recording.barrier();
    record_terms(recording, set(), groups(), group_count, scale, dimensions);
  });
}

}  // namespace proxel::signatures
