#include "bench/cliffs/draw.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "seeded.hpp"

namespace proxel::tool::cliffs {
namespace {

// Searches of the same rows, which take long to be made.
constexpr std::uint64_t searches_of_rows = 10;
constexpr std::uint64_t most_dimensions = 512, most_neighbors = 65536;

struct Most {
  std::uint64_t rows, queries;
  double values, products, neighbors;
};

Most most_of(Extent extent) {
  switch (extent) {
    case Extent::quick:
      return {4096, 64, 1e5, 1e7, 1e5};
    case Extent::host:
      return {200'000, 1000, 1e7, 1e10, 1e6};
    case Extent::device:
      break;
  }
  return {1'000'000, 4000, 1.3e8, 1e11, 3e7};
}

class Draw {
 public:
  explicit Draw(std::uint64_t seed) : seed_(seed) {}

  double share() { return static_cast<double>(random_bits(position_++, seed_) >> 11) * 0x1p-53; }
  /// From `least` to `most`, small ones as often as large ones.
  std::uint64_t size(std::uint64_t least, std::uint64_t most) {
    const double ratio = static_cast<double>(most) / static_cast<double>(least);
    return std::min(static_cast<std::uint64_t>(static_cast<double>(least) * std::pow(ratio, share())), most);
  }

 private:
  std::uint64_t seed_, position_ = 0;
};

}  // namespace

std::vector<Place> random_places(Extent extent, std::uint64_t count, std::uint64_t seed) {
  constexpr std::array metrics = {Metric::l2sq, Metric::l2sq, Metric::ip, Metric::l1, Metric::linf};
  const Most most = most_of(extent);
  Draw draw(seed);
  std::vector<Place> places;
  Point point;
  while (places.size() < count) {
    if (places.size() % searches_of_rows == 0) {
      point.rows = draw.size(64, most.rows);
      const double fitting = most.values / static_cast<double>(point.rows);
      point.dimensions = draw.size(1, std::min(most_dimensions, static_cast<std::uint64_t>(fitting)));
    }
    point.metric = metrics[static_cast<std::size_t>(draw.share() * metrics.size())];
    point.k = draw.size(1, std::min(most_neighbors, point.rows));
    const double products = most.products / static_cast<double>(point.rows * point.dimensions);
    const double fitting = std::min(products, most.neighbors / static_cast<double>(point.k));
    point.queries = draw.size(1, std::clamp(static_cast<std::uint64_t>(fitting), std::uint64_t{1}, most.queries));
    places.push_back({point, ""});
  }
  return places;
}

}  // namespace proxel::tool::cliffs
