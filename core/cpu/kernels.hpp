#pragma once

// The inner loops of the fast passes, once per instruction set.

#include <cstddef>
#include <cstdint>
#include <span>

#include "proxel/metric.hpp"

namespace proxel::cpu {

/// Adds dimensions of several queries' distances to a run of rows.
struct Accumulation {
  Metric metric = Metric::l1;         ///< never l2
  const float* rows = nullptr;        ///< value (row, dimension) at row + dimension * dimension_stride
  std::size_t dimension_stride = 0;
  const float* queries = nullptr;     ///< value (query, dimension) at query * query_stride + dimension
  std::size_t query_stride = 0;
  float* sums = nullptr;              ///< sum (query, row) at query * sums_stride + row
  std::size_t sums_stride = 0;
  std::size_t row_count = 0;
  std::size_t query_count = 0;
  std::size_t dimensions = 0;
  bool from_zero = false;             ///< the sums count as +0 and are not read
};

/// Up to 32 strings, laid out as a block of levenshtein.h, beside a query.
struct StringBlock {
  /// Lines of 32 words; numbers below `alphabet`, past a string's end too.
  const std::uint32_t* symbols = nullptr;
  std::uint32_t symbol_bytes = 1;          ///< 1, 2 or 4
  const std::uint32_t* lengths = nullptr;  ///< [32]
  std::uint32_t shortest = 0;              ///< of the lengths of real strings
  std::uint32_t longest = 0;
  const std::uint32_t* table = nullptr;    ///< string_tables' for the query
  std::uint32_t alphabet = 0;
  std::uint32_t query_length = 0;
  /// Working memory: 128 bytes per 32 symbols of the query, aligned to 64.
  std::byte* column = nullptr;
  std::uint32_t* distances = nullptr;      ///< [32], out; anything where no string is
};

/// One instruction set's kernels. All give the same bits.
struct Kernels {
  const char* instruction_set;
  void (*accumulate)(const Accumulation&);
  /// keys[i] = distance_key(sums[i], largest_first)
  void (*distance_keys)(const float* sums, std::size_t count, bool largest_first,
                        std::uint32_t* keys);
  /// Whether any of the keys lies in low … high, both included.
  bool (*any_within)(const std::uint32_t* keys, std::size_t count, std::uint32_t low,
                     std::uint32_t high);
  /// The Levenshtein distances of a block's strings to the query.
  void (*levenshtein)(const StringBlock&);
};

/// The kernels this processor can run, fastest first; the last runs anywhere.
std::span<const Kernels> usable_kernels();

}  // namespace proxel::cpu
