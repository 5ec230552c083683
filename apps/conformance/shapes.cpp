#include "shapes.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace proxel::conformance {
namespace {

// The value used least so far among those that fit; ties by chance.
template <typename Used, typename Fits>
auto least_used(const Used& used, Random& random, const Fits& fits) {
  std::vector<std::pair<std::uint64_t, typename Used::key_type>> ranked;
  for (const auto& [value, count] : used) ranked.emplace_back(count << 32 | random.below(1u << 30), value);
  std::sort(ranked.begin(), ranked.end());
  for (const auto& [rank, value] : ranked)
    if (fits(value)) return value;
  return used.begin()->first;
}

template <typename Used>
bool all_used(const Used& used) {
  return std::all_of(used.begin(), used.end(), [](const auto& entry) { return entry.second > 0; });
}

}  // namespace

std::optional<std::uint64_t> KValue::at(std::uint64_t n) const {
  const std::int64_t k = relative ? static_cast<std::int64_t>(n) + value : value;
  if (k < 1) return {};
  return static_cast<std::uint64_t>(k);
}

std::string KValue::name() const {
  if (!relative) return fmt::format("{}", value);
  return value == 0 ? "n" : fmt::format("n{:+}", value);
}

Shape served(Method method, Shape shape) {
  if (method != Method::bvh && method != Method::fused) return shape;
  shape.k = std::min<std::uint64_t>(shape.k, 1024);
  if (method == Method::bvh) shape.d = 1 + shape.d % 8;
  if (method == Method::fused) shape.n = std::max(shape.n, 4 * shape.k);
  return shape;
}

std::uint64_t work(Method method, const Shape& shape) {
  const std::uint64_t found = std::min(shape.k, shape.n);
  const std::uint64_t distances = shape.n * shape.d * shape.q;
  // Texel search repeats minimum and reduction for every rank; a handful of
  // passes costs about as much as some thousand steps.
  if (method == Method::texel) return distances + found * shape.q * (shape.n / 2) + found * 3000;
  // Each of the first ranks moves those behind it.
  if (method == Method::garcia_direct || method == Method::garcia_gemm) return distances + found * found * shape.q;
  return distances + found * shape.q * 20;
}

CoveringShapes::CoveringShapes(Method method, std::uint64_t budget, std::uint64_t seed)
    : method_(method), budget_(budget), random_(seed) {
  for (const std::uint64_t n : n_axis) used_n_[n] = 0;
  for (const std::uint64_t d : d_axis) used_d_[d] = 0;
  for (const std::uint64_t q : q_axis) used_q_[q] = 0;
  for (std::size_t i = 0; i < std::size(k_axis); ++i) used_k_[i] = 0;
}

bool CoveringShapes::fits(const Shape& shape) const { return work(method_, served(method_, shape)) <= budget_; }

Shape CoveringShapes::next() {
  Shape shape;
  const auto choose_n_and_k = [&] {
    shape.n = least_used(used_n_, random_, [&](std::uint64_t n) { return fits({n, shape.d, shape.q, 1}); });
    const std::size_t choice = least_used(used_k_, random_, [&](std::size_t candidate) {
      const auto k = k_axis[candidate].at(shape.n);
      return k && fits({shape.n, shape.d, shape.q, *k});
    });
    shape.k = k_axis[choice].at(shape.n).value_or(1);
    ++used_n_[shape.n];
    ++used_k_[choice];
  };
  const auto choose_d = [&] {
    shape.d = least_used(used_d_, random_, [&](std::uint64_t d) { return fits({shape.n, d, shape.q, shape.k}); });
    ++used_d_[shape.d];
  };
  const auto choose_q = [&] {
    shape.q = least_used(used_q_, random_, [&](std::uint64_t q) { return fits({shape.n, shape.d, q, shape.k}); });
    ++used_q_[shape.q];
  };
  // Each call lets another axis choose first, while everything still fits.
  for (std::uint64_t i = 0; i < 3; ++i) switch ((calls_ + i) % 3) {
      case 0:
        choose_n_and_k();
        break;
      case 1:
        choose_d();
        break;
      default:
        choose_q();
        break;
    }
  ++calls_;
  return served(method_, shape);
}

bool CoveringShapes::complete() const {
  return all_used(used_n_) && all_used(used_d_) && all_used(used_q_) && all_used(used_k_);
}

}  // namespace proxel::conformance
