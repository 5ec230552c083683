#include "bench/voting.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "format.hpp"

namespace proxel::tool {
namespace {

constexpr double largest_ratio = 0.8;

}  // namespace

Votes count_votes(const Neighbors& neighbors, std::uint64_t rows, std::uint64_t features) {
  const std::uint64_t images = (rows + features - 1) / features;
  Votes votes{std::vector<std::uint64_t>(images), std::vector<std::uint64_t>(images)};
  const std::uint64_t k = neighbors.indices.columns();
  for (std::uint64_t query = 0; query < neighbors.indices.rows(); ++query) {
    const std::uint64_t image = neighbors.indices(query, 0) / features;
    bool other_seen = false;
    double other = 0;
    for (std::uint64_t slot = 0; slot < k && neighbors.indices(query, slot) != no_neighbor; ++slot) {
      const std::uint64_t voted = neighbors.indices(query, slot) / features;
      ++votes.of_neighbors[voted];
      if (other_seen) continue;
      other = neighbors.distances(query, slot);
      other_seen = voted != image;
    }
    if (neighbors.distances(query, 0) < largest_ratio * largest_ratio * other) ++votes.of_matches[image];
  }
  return votes;
}

std::string winner(const std::vector<std::uint64_t>& votes) {
  std::vector<std::uint64_t> images(votes.size());
  std::iota(images.begin(), images.end(), std::uint64_t{0});
  const auto shown = static_cast<std::ptrdiff_t>(std::min<std::size_t>(2, images.size()));
  std::partial_sort(images.begin(), images.begin() + shown, images.end(), [&](std::uint64_t a, std::uint64_t b) {
    return votes[a] != votes[b] ? votes[a] > votes[b] : a < b;
  });
  const std::uint64_t all = std::accumulate(votes.begin(), votes.end(), std::uint64_t{0});
  std::string text =
      fmt::format("image {} with {} of {} votes", images[0], with_separators(votes[images[0]]), with_separators(all));
  if (shown > 1) text += fmt::format(", then image {} with {}", images[1], with_separators(votes[images[1]]));
  return text;
}

}  // namespace proxel::tool
