#include "kernels/chain.cuh"
#include "kernels/string_items.cuh"
#include "kernels/variant.cuh"

namespace proxel::cuda {
namespace {

using passes::levenshtein_strip;
using Parameters = passes::LevenshteinParameters;

constexpr unsigned threads = 128;

// A query, and the strip of its table at hand.
struct Pattern {
  unsigned length;
  const unsigned* table;  // of the strip; in shared memory where it fits
  unsigned alphabet;
  unsigned words;  // of the strip

  __device__ __forceinline__ unsigned places(unsigned symbol, unsigned word) const {
    return table[std::size_t{word} * alphabet + symbol];
  }
};

// What the last column rises by over the symbols of a word, of which so many are the
// query's. The top of a column is the number of the string's symbols before it.
__device__ __forceinline__ unsigned rise(unsigned positive, unsigned negative, unsigned symbols) {
  const unsigned mask = symbols < 32 ? (1u << symbols) - 1 : ~0u;
  return __popc(positive & mask) - __popc(negative & mask);
}

// A query of up to 32 symbols.
template <unsigned symbol_bytes>
__device__ __forceinline__ unsigned one_word(const Pattern& pattern, Reader<symbol_bytes> reader,
                                             unsigned string_length) {
  unsigned positive = ~0u;  // vertical differences of +1 and -1
  unsigned negative = 0;
  for (unsigned i = 0; i < string_length; ++i) {
    const unsigned equal = pattern.table[reader.next(i)];
    const unsigned diagonal = (((equal & positive) + positive) ^ positive) | equal | negative;
    unsigned up = negative | ~(diagonal | positive);
    unsigned down = positive & diagonal;
    up = up << 1 | 1u;
    down <<= 1;
    positive = down | ~(diagonal | up);
    negative = up & diagonal;
  }
  return string_length + rise(positive, negative, pattern.length);
}

// The query's symbols first … first + 31 that are `symbol`, of which some may not exist.
__device__ __forceinline__ unsigned window(const Pattern& pattern, unsigned symbol, int first) {
  const int word = first >> 5;
  const unsigned low = word >= 0 ? pattern.places(symbol, word) : 0;
  const unsigned high = static_cast<unsigned>(word + 1) < pattern.words ? pattern.places(symbol, word + 1) : 0;
  return __funnelshift_r(low, high, first);
}

// A longer query whose table is all there, and a string, where their lengths differ by no
// more than the bound: right where the distance is within the bound, past it elsewhere.
template <unsigned symbol_bytes>
__device__ unsigned banded(const Pattern& pattern, Reader<symbol_bytes> reader, unsigned string_length,
                           unsigned bound) {
  // In column j bit 31 is row j + bound of the table, from the first row on.
  unsigned positive = ~0u << (31 - bound);
  unsigned negative = 0;
  unsigned score = bound;
  int first = static_cast<int>(bound) - 31;
  const unsigned slanted = pattern.length - bound;  // columns until bit 31 is the last row
  // No diagonal falls, and every column after those may take one away.
  const unsigned limit = string_length - slanted + bound;
  for (unsigned i = 0; i < string_length && score <= limit; ++i, ++first) {
    const unsigned equal = window(pattern, reader.next(i), first);
    const unsigned diagonal = (((equal & positive) + positive) ^ positive) | equal | negative;
    const unsigned up = negative | ~(diagonal | positive);
    const unsigned down = positive & diagonal;
    if (i < slanted) {
      score += ~diagonal >> 31;
    } else {
      // The last row, a bit lower in every column.
      const unsigned bit = 30 - (i - slanted);
      score += (up >> bit & 1u) - (down >> bit & 1u);
    }
    const unsigned vertical = diagonal >> 1;
    positive = down | ~(vertical | up);
    negative = up & vertical;
  }
  return score;
}

// One strip of a longer query; `score` grows by what the last column rises over it.
template <unsigned symbol_bytes>
__device__ void strip(const Pattern& pattern, Reader<symbol_bytes> reader, unsigned string_length, unsigned first_word,
                      bool last, unsigned* carries, unsigned& score) {
  const bool first = first_word == 0;
  unsigned positive[levenshtein_strip];
  unsigned negative[levenshtein_strip];
#pragma unroll
  for (unsigned w = 0; w < levenshtein_strip; ++w) {
    positive[w] = ~0u;
    negative[w] = 0;
  }
  uint2 above = make_uint2(0, 0);  // differences of 32 symbols along the row above: +1 and -1
  uint2 below = make_uint2(0, 0);
  for (unsigned i = 0; i < string_length; ++i) {
    const unsigned bit = i & 31;
    unsigned* const carry = carries + std::size_t{i / 32} * 2 * threads;
    if (bit == 0 && !first) above = make_uint2(carry[0], carry[threads]);
    const unsigned symbol = reader.next(i);
    // The row above all has a difference of +1 everywhere.
    unsigned up_in = first ? 1u : above.x >> bit & 1u;
    unsigned down_in = first ? 0u : above.y >> bit & 1u;
#pragma unroll
    for (unsigned w = 0; w < levenshtein_strip; ++w) {
      if (w >= pattern.words) continue;
      const unsigned matching = pattern.places(symbol, w);
      const unsigned vertical = matching | negative[w];
      const unsigned equal = matching | down_in;
      const unsigned horizontal = (((equal & positive[w]) + positive[w]) ^ positive[w]) | equal;
      unsigned up = negative[w] | ~(horizontal | positive[w]);
      unsigned down = positive[w] & horizontal;
      const unsigned up_out = up >> 31;
      const unsigned down_out = down >> 31;
      up = up << 1 | up_in;
      down = down << 1 | down_in;
      positive[w] = down | ~(vertical | up);
      negative[w] = up & vertical;
      up_in = up_out;
      down_in = down_out;
    }
    if (last) continue;
    below.x |= up_in << bit;
    below.y |= down_in << bit;
    if (bit == 31 || i + 1 == string_length) {
      carry[0] = below.x;
      carry[threads] = below.y;
      below = make_uint2(0, 0);
    }
  }
#pragma unroll
  for (unsigned w = 0; w < levenshtein_strip; ++w)
    if (w < pattern.words) score += rise(positive[w], negative[w], pattern.length - 32 * (first_word + w));
}

template <unsigned symbol_bytes>
__global__ void __launch_bounds__(threads) levenshtein(const Parameters p, const Launch launch) {
  follow_previous_pass();
  extern __shared__ unsigned staged[];
  const unsigned query = blockIdx.y;
  const unsigned* offsets = reinterpret_cast<const unsigned*>(p.offsets) + query;
  const unsigned* table = reinterpret_cast<const unsigned*>(p.tables) + std::uint64_t{query} * p.words * p.alphabet;
  Pattern pattern{offsets[1] - offsets[0], table, p.alphabet, 0};
  const unsigned words = (pattern.length + 31) / 32;
  const unsigned strips = (words + levenshtein_strip - 1) / levenshtein_strip;
  unsigned* carries = reinterpret_cast<unsigned*>(p.carries) +
                      (std::uint64_t{query} * gridDim.x + blockIdx.x) * 2 * p.carry_words * threads + threadIdx.x;

  const auto take_strip = [&](unsigned s) {
    const unsigned first = s * levenshtein_strip;
    pattern.words = min(levenshtein_strip, words - first);
    pattern.table = table + std::uint64_t{first} * p.alphabet;
    if (launch.as<passes::LevenshteinConstants>().shared_words == 0) return;
    __syncthreads();  // the strip before has been used
    for (unsigned i = threadIdx.x; i < pattern.words * p.alphabet; i += threads) staged[i] = pattern.table[i];
    pattern.table = staged;
    __syncthreads();
  };

  const bool in_band = words > 1 && p.bound <= passes::levenshtein_band;
  if (strips == 1) take_strip(0);
  if (in_band) pattern.words = words;
  const StringItems strings(p, query);
  const unsigned items = strings.count();
  const unsigned tiles = (items - 1) / threads + 1;
  for (unsigned tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    const std::uint64_t item = std::uint64_t{tile} * threads + threadIdx.x;
    const bool exists = item < items;
    const unsigned place = exists ? strings.place(item) : 0;
    const unsigned string_length = exists ? strings.length(place) : 0;
    const auto reader = [&] { return Reader<symbol_bytes>(p, place); };
    const bool near = exists && strings.lengths_allow(pattern.length, string_length);
    unsigned score = string_length;
    if (words == 1) {
      if (near) score = one_word(pattern, reader(), string_length);
    } else if (in_band) {
      if (near) score = banded(pattern, reader(), string_length, p.bound);
    } else {
      for (unsigned s = 0; s < strips; ++s) {
        if (strips > 1) take_strip(s);
        if (near) strip(pattern, reader(), string_length, s * levenshtein_strip, s + 1 == strips, carries, score);
      }
    }
    if (exists) strings.put(item, place, near, score);
  }
}

}  // namespace

PROXEL_KERNEL(levenshtein)(const Pass& pass) {
  const auto constants = pass.constants_as<passes::LevenshteinConstants>();
  if (pass.workgroup_size != threads) return {};
  const std::uint32_t bytes = 4 * constants.shared_words;
  switch (constants.symbol_bytes) {
    case 1:
      return variant(cuda::levenshtein<1>, bytes);
    case 2:
      return variant(cuda::levenshtein<2>, bytes);
    case 4:
      return variant(cuda::levenshtein<4>, bytes);
    default:
      return {};
  }
}

}  // namespace proxel::cuda
