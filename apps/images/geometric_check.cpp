#include "images/geometric_check.hpp"

#include <cmath>
#include <numbers>
#include <random>

namespace proxel::images {
namespace {

constexpr double largest_scaling = 8, largest_scale_factor = 2, largest_turn = std::numbers::pi / 4;
constexpr int most_fits = 4;

// One keypoint became another.
struct Move {
  Keypoint from, to;
  std::uint32_t to_number;
};

bool is_plausible(const SimilarityTransformation& t) {
  const double scaling = std::hypot(t.a, t.b);
  return scaling > 1 / largest_scaling && scaling < largest_scaling;  // false for what is not a number
}

// The one that makes two moves, exactly: the quotient of the complex numbers between the places.
SimilarityTransformation through(const Move& first, const Move& second) {
  const double x = double(second.from.x) - first.from.x, y = double(second.from.y) - first.from.y;
  const double u = double(second.to.x) - first.to.x, v = double(second.to.y) - first.to.y;
  const double square = x * x + y * y;
  SimilarityTransformation t{(x * u + y * v) / square, (x * v - y * u) / square, 0, 0};
  t.dx = first.to.x - (t.a * first.from.x - t.b * first.from.y);
  t.dy = first.to.y - (t.b * first.from.x + t.a * first.from.y);
  return t;
}

class Moves {
 public:
  Moves(std::span<const FeatureMatch> matches, std::span<const Keypoint> query, std::span<const Keypoint> other,
        double tolerance)
      : tolerance_(tolerance), taken_(other.size()) {
    for (const FeatureMatch& match : matches) moves_.push_back({query[match.query], other[match.other], match.other});
  }

  const Move& operator[](std::size_t number) const { return moves_[number]; }

  std::vector<std::uint32_t> inliers(const SimilarityTransformation& t) {
    std::vector<std::uint32_t> numbers;
    if (!is_plausible(t)) return numbers;
    const double scaling = std::hypot(t.a, t.b), turn = std::atan2(t.b, t.a);
    for (std::uint32_t i = 0; i < moves_.size(); ++i) {
      // Many features may lie where one of the other image does, and that is no evidence.
      if (taken_[moves_[i].to_number] || !agrees(moves_[i], t, scaling, turn)) continue;
      taken_[moves_[i].to_number] = true;
      numbers.push_back(i);
    }
    for (const std::uint32_t number : numbers) taken_[moves_[number].to_number] = false;
    return numbers;
  }

  // With the least squares of distances over some of the moves, at least two.
  SimilarityTransformation fitted(const std::vector<std::uint32_t>& numbers) const {
    double x = 0, y = 0, u = 0, v = 0;  // means
    for (const std::uint32_t number : numbers) {
      x += moves_[number].from.x / double(numbers.size());
      y += moves_[number].from.y / double(numbers.size());
      u += moves_[number].to.x / double(numbers.size());
      v += moves_[number].to.y / double(numbers.size());
    }
    double along = 0, across = 0, squares = 0;
    for (const std::uint32_t number : numbers) {
      const double from_x = moves_[number].from.x - x, from_y = moves_[number].from.y - y;
      const double to_x = moves_[number].to.x - u, to_y = moves_[number].to.y - v;
      along += from_x * to_x + from_y * to_y;
      across += from_x * to_y - from_y * to_x;
      squares += from_x * from_x + from_y * from_y;
    }
    const double a = along / squares, b = across / squares;
    return {a, b, u - (a * x - b * y), v - (b * x + a * y)};
  }

 private:
  bool agrees(const Move& move, const SimilarityTransformation& t, double scaling, double turn) const {
    const double x = t.a * move.from.x - t.b * move.from.y + t.dx - move.to.x;
    const double y = t.b * move.from.x + t.a * move.from.y + t.dy - move.to.y;
    if (x * x + y * y > tolerance_ * tolerance_) return false;
    const double factor = move.to.scale / (scaling * move.from.scale);
    if (factor > largest_scale_factor || factor < 1 / largest_scale_factor) return false;
    const double turned = double(move.to.angle) - move.from.angle - turn;
    return std::abs(std::remainder(turned, 2 * std::numbers::pi)) <= largest_turn;
  }

  double tolerance_;
  std::vector<Move> moves_;
  std::vector<bool> taken_;  // of the other image's keypoints
};

}  // namespace

GeometricCheck geometric_check(std::span<const FeatureMatch> matches, std::span<const Keypoint> query,
                               std::span<const Keypoint> other, const GeometricCheckOptions& options) {
  Moves moves(matches, query, other, options.tolerance);
  GeometricCheck best;
  const auto try_out = [&](const SimilarityTransformation& t) {
    std::vector<std::uint32_t> inliers = moves.inliers(t);
    if (inliers.size() < 2 || inliers.size() <= best.inliers.size()) return false;
    best = {t, std::move(inliers)};
    return true;
  };
  const std::uint64_t count = matches.size();
  if (count < 2) return best;
  if (count * (count - 1) / 2 <= options.tries) {
    for (std::uint64_t first = 0; first < count; ++first)
      for (std::uint64_t second = first + 1; second < count; ++second) try_out(through(moves[first], moves[second]));
  } else {
    std::mt19937_64 generator(options.seed);
    for (std::uint32_t i = 0; i < options.tries; ++i) {
      const std::uint64_t first = generator() % count, second = generator() % count;
      if (first != second) try_out(through(moves[first], moves[second]));
    }
  }
  for (int i = 0; i < most_fits && best.inliers.size() > 2; ++i)
    if (!try_out(moves.fitted(best.inliers))) break;
  return best;
}

}  // namespace proxel::images
