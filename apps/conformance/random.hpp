#pragma once

#include <cstdint>
#include <random>
#include <string_view>

namespace proxel::conformance {

/// Random numbers that are the same on every machine and standard library:
/// the engine is specified by the standard, its distributions are not.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  std::uint64_t bits() { return engine_(); }
  /// 0 … bound - 1
  std::uint64_t below(std::uint64_t bound) { return engine_() % bound; }
  /// A multiple of 2^-24 in [0, 1).
  float unit() { return static_cast<float>(engine_() >> 40) * 0x1p-24f; }
  /// A number in [-1, 1).
  float symmetric() { return 2.0f * unit() - 1.0f; }
  /// About normal with variance 1: twelve uniform numbers, centred. Free of
  /// functions whose last bit depends on the mathematical library.
  float normal() {
    float sum = -6.0f;
    for (int i = 0; i < 12; ++i) sum += unit();
    return sum;
  }
  bool one_in(std::uint64_t chances) { return below(chances) == 0; }

 private:
  std::mt19937_64 engine_;
};

/// The seed of a case: it depends on the run's seed and the case's name only,
/// so that a case repeated alone meets the same data.
inline std::uint64_t case_seed(std::uint64_t seed, std::string_view name) {
  std::uint64_t hash = 0xCBF29CE484222325ull;  // FNV-1a
  for (const char character : name) hash = (hash ^ static_cast<unsigned char>(character)) * 0x100000001B3ull;
  return hash ^ (seed * 0x9E3779B97F4A7C15ull);
}

}  // namespace proxel::conformance
