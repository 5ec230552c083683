#pragma once

// Several devices, and answers that must be the same to the bit.

#include <array>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "proxel/device.hpp"
#include "proxel/neighbors.hpp"
#include "proxel/strings.hpp"
#include "support.hpp"

namespace proxel::unit {

struct Devices {
  std::vector<std::unique_ptr<Device>> owned;
  std::vector<Device*> all;
  explicit Devices(std::initializer_list<const char*> ids) {
    for (const char* id : ids) owned.push_back(open_device(id));
    for (const auto& device : owned) all.push_back(device.get());
  }
};

/// Words of few symbols, so that many are equally far; some empty, some past a word of 32 symbols.
inline Strings some_words(std::uint64_t count, std::uint32_t seed) {
  Strings words;
  std::mt19937 random(seed);
  for (std::uint64_t i = 0; i < count; ++i) {
    std::string word;
    for (std::uint64_t length = random() % (i % 17 == 0 ? 70 : 7); length > 0; --length)
      word += std::array{"a", "b", "ß", "日"}[random() % 4];
    words.add(word);
  }
  return words;
}

inline void check_same(const RangeNeighbors& found, const RangeNeighbors& expected) {
  CHECK(found.offsets == expected.offsets);
  REQUIRE(found.indices == expected.indices);
  CHECK(same_bytes(found.distances.data(), expected.distances.data(), expected.distances.size()));
}

inline void check_same(const Distances& found, const Distances& expected) {
  REQUIRE(found.values.rows() == expected.values.rows());
  REQUIRE(found.values.columns() == expected.values.columns());
  CHECK(same_bytes(found.values.data(), expected.values.data(), expected.values.rows() * expected.values.columns()));
}

}  // namespace proxel::unit
