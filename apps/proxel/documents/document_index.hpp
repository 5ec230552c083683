#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>

#include "documents/documents.hpp"
#include "permutation_options.hpp"
#include "progress_bar.hpp"
#include "searched_devices.hpp"

namespace proxel::tool {

/// Documents that are all compared with each query, or some of them by a permutation index.
class DocumentIndex {
 public:
  /// @param k  of the searches to come, for which a fraction is chosen where a recall is wanted
  DocumentIndex(const SearchedDevices& devices, const Documents& documents, const PermutationChoice& choice,
                Timing timing, std::uint64_t k, ProgressBar& bar);

  /// The k most similar by the cosine, without itself where a query is one of them.
  /// @param selves  which of the documents each query is; no_neighbor: none
  RangeNeighbors search(MatrixView<float> queries, std::uint64_t k, std::span<const std::uint32_t> selves,
                        const Progress& progress);
  double build_milliseconds() const;
  /// As divided_output.hpp has them.
  void describe(const SearchReport& report, nlohmann::ordered_json& document) const;
  std::string division(const SearchReport& report) const;
  const std::optional<FractionChoice>& fraction() const { return chosen_; }

 private:
  std::optional<std::variant<ShardedIndex, ShardedVectorPermutationIndex>> index_;
  std::uint64_t documents_;
  double fraction_ = 1;
  std::optional<FractionChoice> chosen_;
};

}  // namespace proxel::tool
