#include "kernels/chain.cuh"
#include "kernels/string_items.cuh"
#include "kernels/variant.cuh"
#include "proxel/passes/hamming.h"

namespace proxel::cuda {
namespace {

using Parameters = passes::LevenshteinParameters;

constexpr unsigned threads = 128;

template <unsigned symbol_bytes>
__global__ void __launch_bounds__(threads) hamming(const Parameters p) {
  follow_previous_pass();
  const unsigned query = blockIdx.y;
  const unsigned* offsets = reinterpret_cast<const unsigned*>(p.offsets) + query;
  const unsigned query_length = offsets[1] - offsets[0];
  const unsigned* table = reinterpret_cast<const unsigned*>(p.tables) + std::uint64_t{query} * p.words * p.alphabet;
  const StringItems strings(p, query);
  const unsigned items = strings.count();
  for (std::uint64_t item = std::uint64_t{blockIdx.x} * threads + threadIdx.x; item < items;
       item += std::uint64_t{gridDim.x} * threads) {
    const unsigned place = strings.place(item);
    const unsigned string_length = strings.length(place);
    const bool near = strings.lengths_allow(query_length, string_length);
    unsigned same = 0;
    if (near) {
      Reader<symbol_bytes> reader(p, place);
      for (unsigned i = 0; i < min(query_length, string_length); ++i)
        same += __ldg(table + std::size_t{i / 32} * p.alphabet + reader.next(i)) >> (i & 31) & 1u;
    }
    strings.put(item, place, near, max(query_length, string_length) - same);
  }
}

}  // namespace

PROXEL_KERNEL(hamming)(const Pass& pass) {
  if (pass.workgroup_size != threads) return {};
  switch (pass.constants_as<passes::LevenshteinConstants>().symbol_bytes) {
    case 1:
      return variant(cuda::hamming<1>);
    case 2:
      return variant(cuda::hamming<2>);
    case 4:
      return variant(cuda::hamming<4>);
    default:
      return {};
  }
}

}  // namespace proxel::cuda
