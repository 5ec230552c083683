#pragma once

#include <memory>
#include <vector>

#include "proxel/signature_index.hpp"

namespace demo {

/// The neighbours of one image among all.
struct Ranking {
  /// Every image: the nearest first, those behind the nearest `distances.size()` as they lie in the folder.
  std::vector<std::uint32_t> order;
  std::vector<float> distances;  ///< of the nearest
  double milliseconds = 0;       ///< of the device
};

/// So many neighbours are searched for; images behind them keep their places.
inline constexpr std::uint64_t most_ranked = 1024;

/// @param found  one query's neighbours, slots without one at its end allowed
Ranking ranking_of(const proxel::Neighbors& found, std::uint64_t images);

/// Signature number `query` alone.
proxel::Signatures signature_of(const proxel::Signatures& signatures, std::uint64_t query);

/// The neighbours of a signature among all, itself among them.
proxel::Neighbors similar(proxel::SignatureIndex& index, const proxel::Signatures& signatures, std::uint64_t query);

}  // namespace demo
