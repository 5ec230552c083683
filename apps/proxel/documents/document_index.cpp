#include "documents/document_index.hpp"

#include <algorithm>

#include "divided_output.hpp"
#include "padding.hpp"
#include "without_selves.hpp"

namespace proxel::tool {

DocumentIndex::DocumentIndex(const SearchedDevices& devices, const Documents& documents,
                             const PermutationChoice& choice, Timing timing, std::uint64_t k, ProgressBar& bar)
    : documents_(documents.paths.size()) {
  bar.set_title("uploading");
  if (choice.permutants == 0) {
    index_.emplace(ShardedIndex(devices.all(), documents.rows.view(), devices.divided(IndexOptions{.timing = timing}),
                                bar.callback()));
    return;
  }
  ShardedVectorPermutationIndex made(devices.all(), documents.rows.view(), Metric::cosine,
                                     devices.divided(permutation_options(choice, {.timing = timing})), bar.callback());
  fraction_ = choice.fraction.value_or(PermutationChoice::usual_fraction);
  if (choice.recall) {
    bar.set_title("choosing the fraction");
    chosen_ = made.choose_fraction(*choice.recall, std::min(k, documents_), {}, bar.callback());
    fraction_ = chosen_->fraction;
  }
  index_.emplace(std::move(made));
}

RangeNeighbors DocumentIndex::search(MatrixView<float> queries, std::uint64_t k, std::span<const std::uint32_t> selves,
                                     const Progress& progress) {
  // One more, since a query may be among what it finds.
  const std::uint64_t wanted = std::min(k + 1, documents_);
  Neighbors found;
  if (auto* all = std::get_if<ShardedIndex>(&*index_))
    found = all->search(queries, wanted, Metric::cosine, {.progress = progress});
  else
    found = std::get<ShardedVectorPermutationIndex>(*index_).search(queries, wanted, fraction_, progress);
  return without_selves(without_padding(found), selves, k);
}

void DocumentIndex::describe(const SearchReport& report, nlohmann::ordered_json& document) const {
  std::visit([&](const auto& own) { describe_division(own, report, document); }, *index_);
}

std::string DocumentIndex::division(const SearchReport& report) const {
  return std::visit([&](const auto& own) { return division_line(own, report); }, *index_);
}

double DocumentIndex::build_milliseconds() const {
  return std::visit([](const auto& own) { return own.build_milliseconds(); }, *index_);
}

}  // namespace proxel::tool
