#include "images/similarity_search.hpp"

namespace demo {

namespace {

std::unique_ptr<proxel::SignatureIndex> index_of(proxel::Device& device, const proxel::Signatures& signatures,
                                                 const SimilaritySearch::Wanted& wanted) {
  proxel::SignatureIndexOptions options;
  options.similarity = wanted.similarity;
  options.method = wanted.method;
  return std::make_unique<proxel::SignatureIndex>(device, signatures, options);
}

}  // namespace

proxel::SignatureIndex& SimilaritySearch::kept(proxel::Device& device, const Wanted& wanted) {
  if (!index_ || made_for_ != wanted) {
    index_ = index_of(device, collection_->signatures, wanted);
    made_for_ = wanted;
  }
  return *index_;
}

proxel::Neighbors SimilaritySearch::search(proxel::Device& device, const Wanted& wanted, std::uint32_t query,
                                           bool keeps) {
  const proxel::Signatures& signatures = collection_->signatures;
  if (!keeps) return similar(*index_of(device, signatures, wanted), signatures, query);
  return similar(kept(device, wanted), signatures, query);
}

Ranking SimilaritySearch::all(proxel::Device& device, const Wanted& wanted, std::uint32_t query) {
  const proxel::Matrix<float> distances =
      kept(device, wanted).distances(signature_of(collection_->signatures, query)).values;
  return ranking_of({distances.data(), distances.columns()});
}

}  // namespace demo
