#include "images/similarity_search.hpp"

namespace demo {

SimilaritySearch::Answer SimilaritySearch::search(proxel::Device& device, const Wanted& wanted, std::uint32_t query,
                                                  bool keeps) {
  const proxel::Signatures& signatures = collection_->signatures;
  if (!keeps || !index_ || made_for_ != wanted) {
    proxel::SignatureIndexOptions options;
    options.similarity = wanted.similarity;
    options.method = wanted.method;
    auto index = std::make_unique<proxel::SignatureIndex>(device, signatures, options);
    if (!keeps) return {similar(*index, signatures, query)};
    index_ = std::move(index);
    made_for_ = wanted;
  }
  Answer answer{similar(*index_, signatures, query)};
  answer.milliseconds = index_->times().compute_milliseconds;
  answer.method = index_->method();
  answer.evaluated = index_->evaluated();
  return answer;
}

}  // namespace demo
