// A thread packs one row, 16 values at a time; sixteen pack a query, which all passes after wait for.

#include "kernels/chain.cuh"
#include "kernels/query_team.cuh"
#include "kernels/rows.cuh"
#include "kernels/variant.cuh"
#include "proxel/passes/screen_integers.h"
#include "proxel/passes/screen_pack.h"

namespace proxel::cuda {
namespace {

using Parameters = passes::ScreenIntegersParameters;
constexpr unsigned threads = tile_rows;
constexpr unsigned together = 16;

// What is known of a row's values less the origin.
struct Sums {
  int sum = 0, squares = 0;
  float unshifted_squares = 0;
  bool integers = true;

  __device__ std::uint32_t add(float value, float origin) {
    // Asked of the value itself: a difference may round to an integer.
    integers = integers && value >= origin - 128 && value <= origin + 127 && truncf(value) == value;
    const int code = static_cast<int>(fminf(fmaxf(__fsub_rn(value, origin), -128), 127));
    sum += code;
    squares += code * code;
    unshifted_squares += value * value;
    return static_cast<std::uint32_t>(code) & 0xFFu;
  }
};

// A row's values, and where they go.
class Packed {
 public:
  __device__ Packed(const Parameters& p, unsigned tile, unsigned in_tile)
      : p_(p),
        exists_(tile * tile_rows + in_tile < p.rows.count),
        values_(row_address(p.rows, exists_ ? tile * tile_rows + in_tile : 0)),
        row_(reinterpret_cast<char*>(p.packed) + std::uint64_t{tile} * p.depth_blocks * passes::screen_block_bytes +
             128 * in_tile),
        in_tile_(in_tile) {}

  __device__ bool exists() const { return exists_; }
  __device__ unsigned chunks() const { return p_.depth_blocks * (passes::screen_block_integers / together); }
  __device__ void write(unsigned chunk, const uint4& words) const {
    *reinterpret_cast<uint4*>(row_ + chunk / 8 * passes::screen_block_bytes + 16 * (chunk % 8 ^ in_tile_ % 8)) = words;
  }
  // Sums values up, and writes them.
  __device__ __forceinline__ void pack(unsigned chunk, Sums& sums) const {
    std::uint32_t words[4] = {};
    if (exists_)
#pragma unroll
      for (unsigned i = 0; i < together; ++i) {
        const unsigned dimension = together * chunk + i;
        if (dimension < p_.dimensions)
          words[i / 4] |= sums.add(__ldg(values_ + std::size_t{dimension} * p_.rows.dimension_stride),
                                   static_cast<float>(p_.origin))
                          << 8 * (i % 4);
      }
    write(chunk, make_uint4(words[0], words[1], words[2], words[3]));
  }

 private:
  const Parameters& p_;
  bool exists_;
  const float* values_;
  char* row_;
  unsigned in_tile_;
};

// What a query's canonical distances may miss, and its norm: see docs/proofs/screened.md.
template <bool ip>
__device__ __forceinline__ void write_query_bounds(const Parameters& p, unsigned query, const Sums& sums) {
  const bool exact = p.dimensions <= passes::screen_exact_distances;
  const float gamma = exact ? 0.0f : 1.01f * static_cast<float>(p.dimensions + 4) * 0x1p-24f;
  const float up = 1.0f + static_cast<float>(p.dimensions + 64) * 0x1p-22f;
  auto* bounds = reinterpret_cast<float4*>(p.bounds) + 2 * std::uint64_t{query};
  bounds[0] = make_float4(0, 0, 0, sums.integers ? 1.0f : 0.0f);
  if (!sums.integers) {
    bounds[1] = make_float4(0, 0, 0, 0);
  } else if constexpr (ip) {
    const float largest = sqrtf(sums.unshifted_squares) * 255 * sqrtf(static_cast<float>(p.dimensions));
    bounds[1] = make_float4(0, 0, 2.02f * gamma * largest * up, 0);
  } else {
    bounds[1] = make_float4(0.5f * static_cast<float>(sums.squares) * up, 2.1f * gamma * up, 0, 0);
  }
}

template <bool ip>
__global__ void __launch_bounds__(threads) pack_queries(const Parameters p) {
  follow_previous_pass();
  zero_words(p);
  const QueryTeam team(p.first_tile);
  const Packed packed(p, team.tile(), team.in_tile());
  Sums sums;
  for (unsigned chunk = team.lane(); chunk < packed.chunks(); chunk += team.size) packed.pack(chunk, sums);
  sums.integers = team.all(sums.integers);
  sums.squares = team.sum(sums.squares);
  sums.unshifted_squares = team.sum(sums.unshifted_squares);
  if (!packed.exists()) return;
  if (!sums.integers)
    for (unsigned chunk = team.lane(); chunk < packed.chunks(); chunk += team.size)
      packed.write(chunk, make_uint4(0, 0, 0, 0));
  if (team.lane() == 0) write_query_bounds<ip>(p, team.query(), sums);
}

template <bool ip>
__global__ void __launch_bounds__(threads) pack_rows(const Parameters p) {
  follow_previous_pass();
  const unsigned tile = p.first_tile + blockIdx.x;
  const Packed packed(p, tile, threadIdx.x);
  Sums sums;
  for (unsigned chunk = 0; chunk < packed.chunks(); ++chunk) packed.pack(chunk, sums);
  const bool other = packed.exists() && !sums.integers;
  if (other)
    for (unsigned chunk = 0; chunk < packed.chunks(); ++chunk) packed.write(chunk, make_uint4(0, 0, 0, 0));
  const int bias = ip ? static_cast<int>(p.origin) * sums.sum : -((sums.squares + 1) / 2);
  reinterpret_cast<int*>(p.biases)[tile * tile_rows + threadIdx.x] =
      packed.exists() && !other ? bias : static_cast<int>(passes::screen_integer_nothing);
  if (other) atomicAdd(reinterpret_cast<unsigned*>(p.others), 1u);
  if (threadIdx.x != 0) return;
  const float rounding =
      p.dimensions <= passes::screen_exact_scores ? 0.0f : static_cast<float>(p.dimensions) * 0x1p-8f;
  reinterpret_cast<float4*>(p.bounds)[tile] = make_float4(0, 0, 0, (ip ? 0.0f : 0.5f) + rounding);
}

}  // namespace

PROXEL_KERNEL(screen_integers)(const Pass& pass) {
  const auto constants = pass.constants_as<passes::ScreenIntegersConstants>();
  if (pass.workgroup_size != threads) return {};
  const bool ip = constants.metric == Metric::ip;
  if (constants.queries != 0) return ip ? variant(pack_queries<true>) : variant(pack_queries<false>);
  return ip ? variant(pack_rows<true>) : variant(pack_rows<false>);
}

}  // namespace proxel::cuda
