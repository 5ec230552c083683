#pragma once

#include <memory>
#include <string>
#include <variant>

#include "images/collection.hpp"
#include "images/ranking.hpp"
#include "images/similarity_method.hpp"

namespace demo {

/// Searches among the signatures of a collection, on the worker's thread. Between searches it keeps
/// the index that answered last.
class SimilaritySearch {
 public:
  explicit SimilaritySearch(std::shared_ptr<const Collection> collection) : collection_(std::move(collection)) {}

  struct Wanted {
    std::string device;
    proxel::SimilarityFunction similarity;
    SimilarityMethod method = SimilarityMethod::automatic;
    bool operator==(const Wanted&) const = default;
  };
  /// @param keeps  the index, for the next search; otherwise one is made for this search alone
  proxel::Neighbors search(proxel::Device& device, const Wanted& wanted, std::uint32_t query, bool keeps);
  /// All images in their order, by the index that is kept.
  Ranking all(proxel::Device& device, const Wanted& wanted, std::uint32_t query);

  const Collection& collection() const { return *collection_; }

 private:
  using AnyIndex = std::variant<proxel::SignatureIndex, proxel::KrulisIndex>;
  AnyIndex index_of(proxel::Device& device, const Wanted& wanted) const;
  AnyIndex& kept(proxel::Device& device, const Wanted& wanted);

  std::shared_ptr<const Collection> collection_;
  std::unique_ptr<AnyIndex> index_;
  Wanted made_for_;
};

}  // namespace demo
