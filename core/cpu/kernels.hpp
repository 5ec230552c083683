#pragma once

// The inner loops of the fast passes, once per instruction set.

#include <cstddef>
#include <cstdint>
#include <span>

#include "proxel/metric.hpp"

namespace proxel::cpu {

/// Adds dimensions of several queries' distances to a run of rows.
struct Accumulation {
  Metric metric = Metric::l1;   ///< never l2
  const float* rows = nullptr;  ///< value (row, dimension) at row + dimension * dimension_stride
  std::size_t dimension_stride = 0;
  const float* queries = nullptr;  ///< value (query, dimension) at query * query_stride + dimension
  std::size_t query_stride = 0;
  float* sums = nullptr;  ///< sum (query, row) at query * sums_stride + row
  std::size_t sums_stride = 0;
  std::size_t row_count = 0;
  std::size_t query_count = 0;
  std::size_t dimensions = 0;
  bool from_zero = false;  ///< the sums count as +0 and are not read
};

/// Up to 32 strings, laid out as a block of levenshtein.h, beside a query.
struct StringBlock {
  /// Lines of 32 words; numbers below `alphabet`, past a string's end too.
  const std::uint32_t* symbols = nullptr;
  std::uint32_t symbol_bytes = 1;          ///< 1, 2 or 4
  const std::uint32_t* lengths = nullptr;  ///< [32]
  std::uint32_t shortest = 0;              ///< length of the strings there are
  std::uint32_t longest = 0;               ///< length
  const std::uint32_t* table = nullptr;    ///< string_tables' for the query
  std::uint32_t alphabet = 0;
  std::uint32_t query_length = 0;
  std::uint32_t bound = 0;  ///< larger distances may come out as any value past it
  /// Working memory: 128 bytes per 32 symbols of the query, aligned to 64.
  std::byte* column = nullptr;
  std::uint32_t* distances = nullptr;  ///< [32], out; anything where no string is
};

/// A query's centroids beside some places of a block of signatures (types.h).
struct SignatureRun {
  int kind = 0;      ///< similarity_kind.h's
  float factor = 0;  ///< alpha; to screen what signature_screen.h says
  std::size_t dimensions = 0;
  const float* queries = nullptr;  ///< coordinates of a SignatureSet
  const float* weights = nullptr;  ///< weights of that SignatureSet
  std::size_t first_place = 0;     ///< place of the query's first centroid
  std::size_t length = 0;
  const float* objects = nullptr;  ///< coordinate 0 of the first place
  std::size_t count = 0;           ///< places, a multiple of 16
  float* high = nullptr;           ///< [count], out: the sum over the query's centroids of w_i f_ij
  float* low = nullptr;            ///< [count], out; not where it is screened
};

/// The codes of a tile of rows beside those of a query (screen_codes.h).
struct CodeTile {
  Metric metric = Metric::l2sq;          ///< never l2
  const std::uint32_t* rows = nullptr;   ///< word w of row r at w * 128 + r
  const std::uint32_t* query = nullptr;  ///< [words]
  std::size_t words = 0;
  std::int32_t* sums = nullptr;  ///< [128], out: as screen_code_tiles.h has them
};

/// The centroids of a query and an object, one after another, coordinate by coordinate.
template <typename Real>
struct SqfdPair {
  const Real* coordinates = nullptr;  ///< coordinate i of centroid c at i * length + c
  const Real* weights = nullptr;      ///< those of the object negative
  std::uint32_t length = 0;           ///< centroids of both
  std::uint32_t dimensions = 0;
  Real scale = 0;        ///< as sqfd_block.h has it
  Real* sums = nullptr;  ///< [256], out: those of sqfd_block's invocations
};

/// One instruction set's kernels. All give the same bits, but signature_screen.
struct Kernels {
  const char* instruction_set;
  void (*accumulate)(const Accumulation&);
  /// keys[i] = distance_key(sums[i], largest_first)
  void (*distance_keys)(const float* sums, std::size_t count, bool largest_first, std::uint32_t* keys);
  void (*code_sums)(const CodeTile&);
  /// Whether any of the keys lies in low … high, both included.
  bool (*any_within)(const std::uint32_t* keys, std::size_t count, std::uint32_t low, std::uint32_t high);
  /// The Levenshtein distances of a block's strings to the query.
  void (*levenshtein)(const StringBlock&);
  void (*signature_sums)(const SignatureRun&);
  /// Estimates the sums in plain binary32. A place's value does not depend on where it stands.
  void (*signature_screen)(const SignatureRun&);
  /// The similarities of a pair of signatures, summed up.
  void (*sqfd_float32)(const SqfdPair<float>&);
  void (*sqfd_float64)(const SqfdPair<double>&);
};

/// The kernels this processor can run, fastest first; the last runs anywhere.
std::span<const Kernels> usable_kernels();

}  // namespace proxel::cpu
