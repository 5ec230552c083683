#pragma once

// Strings of a database beside queries (proxel/passes/levenshtein.h).

#include <cstdint>

#include "proxel/passes/levenshtein.h"

namespace proxel::cuda {

// One string's symbols, read a word at a time.
template <unsigned symbol_bytes>
class Reader {
 public:
  __device__ Reader(const passes::LevenshteinParameters& p, unsigned place)
      : line_(reinterpret_cast<const unsigned*>(p.symbols) +
              std::uint64_t{__ldg(reinterpret_cast<const unsigned*>(p.block_lines) + place / passes::string_block)} *
                  passes::string_block +
              place % passes::string_block) {}

  __device__ __forceinline__ unsigned next(unsigned i) {
    if (i % (4 / symbol_bytes) == 0) {
      word_ = __ldg(line_);
      line_ += passes::string_block;
    }
    if constexpr (symbol_bytes == 4) {
      return word_;
    } else {
      const unsigned symbol = word_ & ((1u << 8 * symbol_bytes) - 1);
      word_ >>= 8 * symbol_bytes;
      return symbol;
    }
  }

 private:
  const unsigned* line_;
  unsigned word_ = 0;
};

/// The strings that a query is compared with, and where their distances belong.
class StringItems {
 public:
  __device__ StringItems(const passes::LevenshteinParameters& p, unsigned query)
      : p_(p),
        candidates_(p.candidates == 0
                        ? nullptr
                        : reinterpret_cast<const unsigned*>(p.candidates) + std::uint64_t{query} * p.candidate_stride),
        distances_(reinterpret_cast<float*>(p.distances) + std::uint64_t{query} * p.distance_stride) {}

  __device__ unsigned count() const { return candidates_ ? p_.candidate_count : p_.string_count; }
  __device__ unsigned place(std::uint64_t item) const {
    if (!candidates_) return static_cast<unsigned>(item);
    return __ldg(reinterpret_cast<const unsigned*>(p_.places) + __ldg(candidates_ + item));
  }
  __device__ unsigned length(unsigned place) const {
    return __ldg(reinterpret_cast<const unsigned*>(p_.lengths) + place);
  }
  /// Each symbol that one has more than the other is an edit.
  __device__ bool lengths_allow(unsigned query_length, unsigned string_length) const {
    return max(query_length, string_length) - min(query_length, string_length) <= p_.bound;
  }
  /// A NaN where it is past the bound.
  __device__ void put(std::uint64_t item, unsigned place, bool near, unsigned score) const {
    distances_[p_.listed != 0 ? item : __ldg(reinterpret_cast<const unsigned*>(p_.numbers) + place)] =
        near && score <= p_.bound ? static_cast<float>(score) : __uint_as_float(0x7FC00000u);
  }

 private:
  const passes::LevenshteinParameters& p_;
  const unsigned* candidates_;
  float* distances_;
};

}  // namespace proxel::cuda
