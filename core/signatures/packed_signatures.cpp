#include "signatures/packed_signatures.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include <fmt/format.h>

#include "proxel/error.hpp"
#include "search/check.hpp"
#include "watch.hpp"

namespace proxel::signatures {

using passes::signature_block;

namespace {

constexpr int weight_bits = 30;           // of a signature's total weight, scaled
constexpr int no_weight_exponent = -200;  // of one without any
constexpr std::uint64_t most_places = (std::uint64_t{1} << 32) - 2 * signature_block;

std::uint64_t whole_blocks(std::uint64_t places, std::uint64_t block = signature_block) {
  return search::divide_up<std::uint64_t>(places, block) * block;
}

void check_places(std::uint64_t places) {
  if (places > most_places)
    throw Error(ErrorCode::unsupported, "signatures",
                fmt::format("have more than {} centroids, in blocks of {}", most_places, signature_block));
}

// To a multiple of 2^-38, so that no square is below the normal numbers.
double packed_coordinate(float value, double scale) { return std::nearbyint(value * (scale * 0x1p38)) * 0x1p-38; }

}  // namespace

SignaturePlaces::SignaturePlaces(const Signatures& signatures, std::uint64_t first, std::uint64_t count,
                                 std::uint64_t alignment) {
  spans.reserve(2 * count);
  std::uint64_t begin = 0;  // of the group at hand
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t length = signatures.length(first + i);
    if (groups.empty() || places + length > begin + signature_block) {
      begin = places = whole_blocks(places);
      groups.push_back(static_cast<std::uint32_t>(i));
    }
    spans.push_back(static_cast<std::uint32_t>(places));
    spans.push_back(static_cast<std::uint32_t>(length));
    places += whole_blocks(length, alignment);
    check_places(places);
  }
  groups.push_back(static_cast<std::uint32_t>(count));
  places = std::max<std::uint64_t>(whole_blocks(places), signature_block);
}

std::uint64_t SignaturePlaces::most(std::uint64_t signatures, std::uint64_t longest, std::uint64_t alignment) {
  // A block is left when the next signature does not fit, so that it has as many of the longest.
  const std::uint64_t in_block = signature_block / whole_blocks(std::max<std::uint64_t>(longest, 1), alignment);
  const std::uint64_t places = in_block == 0 ? signatures * whole_blocks(longest)
                                             : whole_blocks(signatures, in_block) / in_block * signature_block;
  check_places(places);
  return std::max<std::uint64_t>(places, signature_block);
}

SignatureLayout::SignatureLayout(std::uint64_t count, std::uint64_t places, std::uint32_t dimensions,
                                 std::uint64_t group_count) {
  using search::align_scratch;
  weights = align_scratch(places * dimensions * 4);
  spans = weights + align_scratch(places * 4);
  terms = spans + align_scratch(count * 8);
  groups = terms + align_scratch(count * 16);
  bytes = groups + align_scratch((group_count + 1) * 4);
}

passes::SignatureSet SignatureLayout::at(std::uint64_t address) const {
  return {address, address + weights, address + spans, address + terms};
}

double total_weight(const Signatures& signatures, std::uint64_t i) {
  const auto weights = signatures.weights(i);
  return std::accumulate(weights.begin(), weights.end(), 0.0);
}

void require_scalable(const Signatures& signatures, std::uint64_t first, std::uint64_t count,
                      const SimilarityScale& scale) {
  const double factor = std::ldexp(1.0, scale.exponent);
  for (std::uint64_t i = first; i < first + count; ++i) {
    Watch::glance();
    for (const float coordinate : signatures.centroids(i))
      if (const double value = packed_coordinate(coordinate, factor); !(std::fabs(value) <= Signatures::largest_value))
        throw Error(ErrorCode::invalid_argument, "alpha",
                    fmt::format("scales a coordinate of signature {} to {:g}, {:g} is the largest", i, value,
                                Signatures::largest_value));
  }
}

void pack(const Signatures& signatures, std::uint64_t first, const SimilarityScale& scale,
          const SignaturePlaces& places, const SignatureLayout& layout, std::byte* to) {
  const std::uint32_t dimensions = signatures.dimensions();
  require_scalable(signatures, first, places.spans.size() / 2, scale);
  std::memset(to, 0, layout.bytes);
  auto* coordinates = reinterpret_cast<float*>(to);
  auto* weights = reinterpret_cast<float*>(to + layout.weights);
  auto* terms = reinterpret_cast<std::int32_t*>(to + layout.terms);
  std::memcpy(to + layout.spans, places.spans.data(), places.spans.size() * 4);
  std::memcpy(to + layout.groups, places.groups.data(), places.groups.size() * 4);
  const double factor = std::ldexp(1.0, scale.exponent);
  for (std::uint64_t i = 0; i < places.spans.size() / 2; ++i) {
    Watch::glance();
    const auto centroids = signatures.centroids(first + i);
    const double total = total_weight(signatures, first + i);
    const int exponent = total > 0 ? std::ilogb(total) : no_weight_exponent;
    terms[4 * i + 2] = exponent;
    for (std::uint64_t c = 0; c < signatures.length(first + i); ++c) {
      const std::uint64_t place = places.spans[2 * i] + c;
      const double weight = std::ldexp(static_cast<double>(signatures.weights(first + i)[c]), weight_bits - exponent);
      // Below 2^-40 of the whole nothing is left of a weight.
      weights[place] = weight < 0x1p-10 ? 0.0f : static_cast<float>(weight);
      float* column = coordinates + place / signature_block * dimensions * signature_block + place % signature_block;
      for (std::uint64_t k = 0; k < dimensions; ++k)
        column[k * signature_block] = static_cast<float>(packed_coordinate(centroids[c * dimensions + k], factor));
    }
  }
}

}  // namespace proxel::signatures
