#include "compare/answer.hpp"

namespace proxel::tool {

AnswerView::AnswerView(const Answer& found)
    : nearest_(std::get_if<Neighbors>(&found)), within_(std::get_if<RangeNeighbors>(&found)) {}

std::uint64_t AnswerView::queries() const {
  if (nearest_) return nearest_->indices.rows();
  return within_->offsets.empty() ? 0 : within_->offsets.size() - 1;
}

std::span<const std::uint32_t> AnswerView::indices(std::uint64_t query) const {
  if (!nearest_) return {within_->indices.data() + within_->offsets[query], within_->count(query)};
  const std::uint64_t k = nearest_->indices.columns();
  return {nearest_->indices.data() + query * k, k};
}

std::span<const float> AnswerView::distances(std::uint64_t query) const {
  if (!nearest_) return {within_->distances.data() + within_->offsets[query], within_->count(query)};
  const std::uint64_t k = nearest_->distances.columns();
  return {nearest_->distances.data() + query * k, k};
}

const SearchReport& AnswerView::report() const { return nearest_ ? nearest_->report : within_->report; }

}  // namespace proxel::tool
