#include "images/feature_matches.hpp"

#include <algorithm>
#include <unordered_map>

namespace proxel::images {

std::vector<ImageMatches> matched_images(const Neighbors& nearest, std::span<const std::uint64_t> firsts,
                                         std::uint32_t left_out) {
  std::vector<ImageMatches> found;
  std::unordered_map<std::uint32_t, std::size_t> place_of_image;
  const std::uint64_t k = nearest.indices.columns();
  for (std::uint32_t query = 0; query < nearest.indices.rows(); ++query) {
    const float limit = largest_ratio * nearest.distances(query, k - 1);
    for (std::uint64_t slot = 0; slot < k && nearest.distances(query, slot) < limit; ++slot) {
      const std::uint32_t feature = nearest.indices(query, slot);
      const auto behind = std::upper_bound(firsts.begin(), firsts.end(), feature);
      const auto image = static_cast<std::uint32_t>(behind - firsts.begin() - 1);
      if (image == left_out) continue;
      const auto [place, is_new] = place_of_image.emplace(image, found.size());
      if (is_new) found.push_back({image, {}});
      std::vector<FeatureMatch>& matches = found[place->second].matches;
      // The nearest of an image comes first, and is its only vote.
      if (matches.empty() || matches.back().query != query)
        matches.push_back({query, static_cast<std::uint32_t>(feature - firsts[image])});
    }
  }
  std::ranges::sort(found, [](const ImageMatches& a, const ImageMatches& b) {
    return a.matches.size() != b.matches.size() ? a.matches.size() > b.matches.size() : a.image < b.image;
  });
  return found;
}

}  // namespace proxel::images
