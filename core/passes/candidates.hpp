#pragma once

// A texel of the candidates' texture: distance key in red, index in green.

#include <cstdint>

#include "passes/order.hpp"

namespace proxel::passes {

inline std::uint64_t candidate_key(const std::uint32_t* texel) { return make_key(texel[0], texel[1]); }

inline void write_candidate(std::uint32_t* texel, std::uint64_t key) {
  texel[0] = distance_key_of(key);
  texel[1] = index_of(key);
  texel[2] = 0;
  texel[3] = 0;
}

}  // namespace proxel::passes
