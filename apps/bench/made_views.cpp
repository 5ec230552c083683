#include "bench/made_views.hpp"

#include <algorithm>
#include <random>
#include <vector>

namespace proxel::tool {
namespace {

constexpr std::uint64_t views_of_a_thing = 72;

// The same with every standard library.
class Numbers {
 public:
  explicit Numbers(std::uint64_t seed) : engine_(seed) {}
  double unit() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }
  std::uint64_t below(std::uint64_t bound) { return engine_() % bound; }
  // About normal: twelve uniform numbers, centred.
  float normal() {
    double sum = -6;
    for (int i = 0; i < 12; ++i) sum += unit();
    return static_cast<float>(sum);
  }

 private:
  std::mt19937_64 engine_;
};

struct Thing {
  std::vector<float> centroids, weights;
};

Thing make_thing(Numbers& numbers) {
  Thing thing;
  // The smaller of two: 30 on the average.
  const std::uint64_t length = 8 + std::min(numbers.below(57), 8 + numbers.below(57));
  std::vector<float> middle(view_dimensions);
  for (float& value : middle) value = 0.7f * numbers.normal();
  for (std::uint64_t i = 0; i < length; ++i) {
    thing.weights.push_back(static_cast<float>(0.05 + numbers.unit()));
    for (std::uint32_t d = 0; d < view_dimensions; ++d) thing.centroids.push_back(middle[d] + 0.7f * numbers.normal());
  }
  return thing;
}

void add_view(const Thing& thing, Numbers& numbers, Signatures& views) {
  std::vector<float> centroids, weights;
  float sum = 0;
  for (std::size_t i = 0; i < thing.weights.size(); ++i) {
    if (i >= 8 && numbers.below(12) == 0) continue;
    for (std::uint32_t d = 0; d < view_dimensions; ++d)
      centroids.push_back(thing.centroids[i * view_dimensions + d] + 0.15f * numbers.normal());
    weights.push_back(thing.weights[i] * static_cast<float>(0.8 + 0.4 * numbers.unit()));
    sum += weights.back();
  }
  for (float& weight : weights) weight /= sum;
  views.add(centroids, weights);
}

}  // namespace

Signatures made_views(std::uint64_t count, std::uint64_t seed) {
  Numbers numbers(seed);
  std::vector<Thing> things((count + views_of_a_thing - 1) / views_of_a_thing);
  for (Thing& thing : things) thing = make_thing(numbers);
  Signatures views(view_dimensions);
  for (std::uint64_t i = 0; i < count; ++i) add_view(things[i % things.size()], numbers, views);
  return views;
}

Signatures signatures_part(const Signatures& all, std::uint64_t first, std::uint64_t count) {
  Signatures taken(all.dimensions());
  for (std::uint64_t i = first; i < first + count; ++i) taken.add(all.centroids(i), all.weights(i));
  return taken;
}

}  // namespace proxel::tool
