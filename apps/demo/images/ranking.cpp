#include "images/ranking.hpp"

#include <algorithm>
#include <numeric>

namespace demo {

Ranking ranking_of(const proxel::Neighbors& found, std::uint64_t images) {
  Ranking ranking;
  std::vector<bool> placed(images);
  for (std::uint64_t slot = 0; slot < found.indices.columns(); ++slot) {
    const std::uint32_t image = found.indices(0, slot);
    if (image == proxel::no_neighbor) break;
    placed[image] = true;
    ranking.order.push_back(image);
    ranking.distances.push_back(found.distances(0, slot));
  }
  for (std::uint32_t image = 0; image < images; ++image)
    if (!placed[image]) ranking.order.push_back(image);
  return ranking;
}

Ranking ranking_of(std::span<const float> distances) {
  Ranking ranking;
  ranking.order.resize(distances.size());
  std::iota(ranking.order.begin(), ranking.order.end(), 0u);
  std::ranges::stable_sort(ranking.order, {}, [&](std::uint32_t image) { return distances[image]; });
  for (const std::uint32_t image : ranking.order) ranking.distances.push_back(distances[image]);
  return ranking;
}

proxel::Signatures signature_of(const proxel::Signatures& signatures, std::uint64_t query) {
  proxel::Signatures one(signatures.dimensions());
  one.add(signatures.centroids(query), signatures.weights(query));
  return one;
}

}  // namespace demo
