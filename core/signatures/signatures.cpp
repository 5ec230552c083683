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

Signatures Signatures::slice(std::uint64_t first, std::uint64_t count) const {
  search::require_range("first", first, 0, size());
  search::require_range("count", count, 0, size() - first);
  Signatures some(dimensions_);
  const std::uint64_t begin = offsets_[first], end = offsets_[first + count];
  const auto part = [](const std::vector<float>& values, std::uint64_t from, std::uint64_t to) {
    return std::vector<float>(values.begin() + static_cast<std::ptrdiff_t>(from),
                              values.begin() + static_cast<std::ptrdiff_t>(to));
  };
  some.centroids_ = part(centroids_, begin * dimensions_, end * dimensions_);
  some.weights_ = part(weights_, begin, end);
  some.offsets_.resize(count + 1);
  for (std::uint64_t i = 0; i < count; ++i) {
    some.offsets_[i + 1] = offsets_[first + i + 1] - begin;
    some.longest_ = std::max(some.longest_, length(first + i));
  }
  return some;
}

}  // namespace proxel
