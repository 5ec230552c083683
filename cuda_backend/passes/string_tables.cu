#include "kernels/chain.cuh"
#include "kernels/variant.cuh"
#include "proxel/passes/string_tables.h"

namespace proxel::cuda {
namespace {

using Parameters = passes::StringTablesParameters;

// A thread makes whole words, so that nothing is written twice.
__global__ void __launch_bounds__(1024) tables(const Parameters p) {
  follow_previous_pass();
  const std::uint64_t query = std::uint64_t{blockIdx.y} * gridDim.x + blockIdx.x;
  if (query >= p.query_count) return;
  const unsigned* offsets = reinterpret_cast<const unsigned*>(p.offsets) + query;
  const unsigned length = offsets[1] - offsets[0];
  const unsigned* symbols = reinterpret_cast<const unsigned*>(p.symbols) + offsets[0];
  unsigned* table = reinterpret_cast<unsigned*>(p.tables) + query * p.words * p.alphabet;
  for (unsigned word = 0; word < p.words; ++word) {
    const unsigned bits = length > 32 * word ? min(32u, length - 32 * word) : 0;
    for (unsigned symbol = threadIdx.x; symbol < p.alphabet; symbol += blockDim.x) {
      unsigned mask = 0;
      for (unsigned i = 0; i < bits; ++i)
        if (__ldg(symbols + 32 * word + i) == symbol) mask |= 1u << i;
      table[std::uint64_t{word} * p.alphabet + symbol] = mask;
    }
  }
}

}  // namespace

PROXEL_KERNEL(string_tables)(const Pass&) { return variant(tables); }

}  // namespace proxel::cuda
