#include "proxel/signatures.hpp"

#include <algorithm>
#include <cmath>
#include <new>

#include <fmt/format.h>

#include "search/check.hpp"

namespace proxel {

Signatures::Signatures(std::uint32_t dimensions) : dimensions_(dimensions) {
  search::require_range("dimensions of a centroid", dimensions, 1, largest_dimensions);
}

void Signatures::add(std::span<const float> centroids, std::span<const float> weights) {
  search::require_range("centroids of a signature", weights.size(), 1, largest_length);
  if (centroids.size() != weights.size() * dimensions_)
    throw Error(ErrorCode::invalid_argument, "centroids",
                fmt::format("{} coordinates were given; {} weights and {} dimensions ask for {}", centroids.size(),
                            weights.size(), dimensions_, weights.size() * dimensions_));
  const auto allowed = [](float value) { return std::abs(value) <= largest_value; };  // a NaN is not
  if (const auto bad = std::find_if_not(centroids.begin(), centroids.end(), allowed); bad != centroids.end())
    throw Error(ErrorCode::invalid_argument, "centroids",
                fmt::format("centroid {} of signature {} has the coordinate {}; {} to {} is allowed",
                            (bad - centroids.begin()) / dimensions_, size(), *bad, -largest_value, largest_value));
  const auto bad =
      std::find_if_not(weights.begin(), weights.end(), [&](float value) { return value >= 0 && allowed(value); });
  if (bad != weights.end())
    throw Error(ErrorCode::invalid_argument, "weights",
                fmt::format("centroid {} of signature {} has the weight {}; 0 to {} is allowed", bad - weights.begin(),
                            size(), *bad, largest_value));
  try {
    centroids_.insert(centroids_.end(), centroids.begin(), centroids.end());
    weights_.insert(weights_.end(), weights.begin(), weights.end());
    offsets_.push_back(weights_.size());
  } catch (const std::bad_alloc&) {
    centroids_.resize(offsets_.back() * dimensions_);
    weights_.resize(offsets_.back());
    throw;
  }
  longest_ = std::max<std::uint64_t>(longest_, weights.size());
}

}  // namespace proxel
