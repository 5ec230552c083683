#pragma once

#include <cstdint>
#include <span>
#include <variant>

#include "proxel/neighbors.hpp"

namespace proxel::tool {

/// What any search found.
using Answer = std::variant<Neighbors, RangeNeighbors>;

/// An answer as what all of them are: for each query a list of numbers and their distances. Of the k nearest every
/// list has k slots, padding among them. What it looks at outlives it.
class AnswerView {
 public:
  AnswerView(const Neighbors& found) : nearest_(&found) {}
  AnswerView(const RangeNeighbors& found) : within_(&found) {}
  AnswerView(const Answer& found);

  std::uint64_t queries() const;
  std::span<const std::uint32_t> indices(std::uint64_t query) const;
  std::span<const float> distances(std::uint64_t query) const;
  const SearchReport& report() const;
  /// Of the k nearest their matrices; null for lists of any length.
  const Neighbors* nearest() const { return nearest_; }

 private:
  const Neighbors* nearest_ = nullptr;
  const RangeNeighbors* within_ = nullptr;
};

}  // namespace proxel::tool
