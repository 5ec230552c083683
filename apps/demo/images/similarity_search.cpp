#include "images/similarity_search.hpp"

#include <algorithm>

#include "proxel/error.hpp"

namespace demo {

SimilaritySearch::AnyIndex SimilaritySearch::index_of(proxel::Device& device, const Wanted& wanted) const {
  const auto filter = krulis_filter(wanted.method);
  if (!filter) {
    proxel::SignatureIndexOptions options;
    options.similarity = wanted.similarity;
    options.method = signature_method(wanted.method);
    return proxel::SignatureIndex(device, collection_->signatures, options);
  }
  if (wanted.similarity.kind != proxel::Similarity::gaussian)
    throw proxel::Error(proxel::ErrorCode::unsupported, "method", "krulis computes the gaussian similarity alone");
  proxel::KrulisOptions options;
  options.alpha = wanted.similarity.alpha;
  options.filter = *filter;
  proxel::Device* const devices[] = {&device};
  return proxel::KrulisIndex(devices, collection_->signatures, options);
}

SimilaritySearch::AnyIndex& SimilaritySearch::kept(proxel::Device& device, const Wanted& wanted) {
  if (!index_ || made_for_ != wanted) {
    // Its devices are its own until it is gone.
    index_.reset();
    index_ = std::make_unique<AnyIndex>(index_of(device, wanted));
    made_for_ = wanted;
  }
  return *index_;
}

proxel::Neighbors SimilaritySearch::search(proxel::Device& device, const Wanted& wanted, std::uint32_t query,
                                           bool keeps) {
  const proxel::Signatures asked = signature_of(collection_->signatures, query);
  const std::uint64_t nearest = std::min(collection_->signatures.size(), nearest_first);
  const auto search = [&](auto& index) { return index.search(asked, nearest); };
  if (keeps) return std::visit(search, kept(device, wanted));
  AnyIndex once = index_of(device, wanted);
  return std::visit(search, once);
}

Ranking SimilaritySearch::all(proxel::Device& device, const Wanted& wanted, std::uint32_t query) {
  const proxel::Signatures asked = signature_of(collection_->signatures, query);
  const proxel::Matrix<float> distances =
      std::visit([&](auto& index) { return index.distances(asked).values; }, kept(device, wanted));
  return ranking_of({distances.data(), distances.columns()});
}

}  // namespace demo
