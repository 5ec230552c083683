#include "compare/data.hpp"

#include <algorithm>
#include <span>
#include <vector>

#include "seeded.hpp"

namespace proxel::tool {
namespace {

constexpr std::uint32_t signature_dimensions = 7;  // as those of images: position, colour and texture

std::vector<std::uint64_t> spread(std::uint64_t size, std::uint64_t count) {
  count = std::min(size, count);
  std::vector<std::uint64_t> chosen(count);
  for (std::uint64_t i = 0; i < count; ++i) chosen[i] = i * size / count;
  return chosen;
}

}  // namespace

Matrix<float> some_of(const Matrix<float>& rows, std::uint64_t count) {
  const auto chosen = spread(rows.rows(), count);
  Matrix<float> some(chosen.size(), rows.columns());
  for (std::uint64_t i = 0; i < chosen.size(); ++i)
    std::copy_n(rows.data() + chosen[i] * rows.columns(), rows.columns(), some.data() + i * rows.columns());
  return some;
}

Signatures some_of(const Signatures& signatures, std::uint64_t count) {
  Signatures some(signatures.dimensions());
  for (const std::uint64_t number : spread(signatures.size(), count))
    some.add(signatures.centroids(number), signatures.weights(number));
  return some;
}

Strings some_of(const Strings& words, std::uint64_t count) {
  Strings some(words.units());
  for (const std::uint64_t number : spread(words.size(), count)) {
    const auto symbols = words[number];
    std::vector<std::uint32_t> shorter(symbols.begin(), symbols.end());
    if (shorter.size() > 1) shorter.erase(shorter.begin() + static_cast<std::ptrdiff_t>(shorter.size() / 2));
    some.append(std::span<const std::uint32_t>(shorter));
  }
  return some;
}

Signatures made_signatures(std::uint64_t count, std::uint64_t longest, std::uint64_t seed) {
  Signatures made(signature_dimensions);
  std::vector<float> centroids, weights;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t length = 1 + random_bits(i, seed) % longest;
    centroids.clear();
    weights.clear();
    for (std::uint64_t c = 0; c < length; ++c) {
      weights.push_back((1 + random_value(i * longest + c, seed + 1)) / static_cast<float>(length));
      for (std::uint32_t d = 0; d < signature_dimensions; ++d)
        centroids.push_back(random_value((i * longest + c) * signature_dimensions + d, seed + 2));
    }
    made.add(centroids, weights);
  }
  return made;
}

}  // namespace proxel::tool
