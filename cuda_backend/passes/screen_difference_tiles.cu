// A square of 16 x 16 threads has 128 queries and tiles of 128 rows, 8 x 8 of them each in registers. Codes come in slices of 8 words
// through two buffers of shared memory: the next slice travels in registers while this one is compared.

#include <cuda_fp16.h>

#include "kernels/chain.cuh"
#include "kernels/filter.cuh"
#include "kernels/selected.cuh"
#include "kernels/variant.cuh"
#include "proxel/passes/screen_difference_tiles.h"

namespace proxel::cuda {
namespace {

using Parameters = passes::ScreenTilesParameters;
using passes::tile_rows;
constexpr unsigned width = 16, threads = width * width, per_thread = 8;
static_assert(width * per_thread == tile_rows);
constexpr unsigned slice_words = 8;
// What a row counts as that has no score: above all sums.
constexpr int nothing = 1 << 30;

// How codes are compared: what is made of a word when it is stored, and a sum when it is complete.
template <Metric metric>
struct Differences;
// Four dimensions at a time.
template <>
struct Differences<Metric::l1> {
  static constexpr unsigned operands = 1;
  static __device__ __forceinline__ std::uint32_t operand(std::uint32_t word, unsigned) { return word; }
  static __device__ __forceinline__ void add(std::uint32_t& sum, std::uint32_t query, std::uint32_t row) {
    asm("vabsdiff4.u32.u32.u32.add %0, %1, %2, %0;" : "+r"(sum) : "r"(query), "r"(row));
  }
  static __device__ __forceinline__ int value(std::uint32_t sum) { return static_cast<int>(sum); }
  // Whether a sum is at most what limit() was made of.
  static __device__ __forceinline__ std::uint32_t limit(int most) { return static_cast<std::uint32_t>(most); }
  static __device__ __forceinline__ bool within(std::uint32_t sum, std::uint32_t limit) {
    return static_cast<int>(sum) <= static_cast<int>(limit);
  }
};
// Two, as halves, in which integers up to 2,048 are exact, in two lanes.
template <>
struct Differences<Metric::linf> {
  static constexpr unsigned operands = 2;
  // 1,024 and a code, which differences do without: 0x6400 is 1,024.
  static __device__ __forceinline__ std::uint32_t operand(std::uint32_t word, unsigned i) {
    return __byte_perm(word, 0x64646464u, i == 0 ? 0x4140 : 0x4342);
  }
  static __device__ __forceinline__ void add(std::uint32_t& sum, std::uint32_t query, std::uint32_t row) {
    const __half2 difference = __hsub2(halves(query), halves(row));
    sum = bits(__hmax2(halves(sum), __habs2(difference)));
  }
  static __device__ __forceinline__ int value(std::uint32_t sum) {
    return __half2int_rn(__hmax(__low2half(halves(sum)), __high2half(halves(sum))));
  }
  // No sum is more than 254.
  static __device__ __forceinline__ std::uint32_t limit(int most) {
    return bits(__half2half2(__int2half_rn(min(most, 255))));
  }
  static __device__ __forceinline__ bool within(std::uint32_t sum, std::uint32_t limit) {
    return __hble2(halves(sum), halves(limit));
  }

 private:
  static __device__ __forceinline__ __half2 halves(std::uint32_t two) { return *reinterpret_cast<__half2*>(&two); }
  static __device__ __forceinline__ std::uint32_t bits(__half2 two) { return *reinterpret_cast<std::uint32_t*>(&two); }
};

template <unsigned operands>
struct alignas(16) Slice {
  // Four words of padding keep transposing stores apart.
  std::uint32_t queries[slice_words * operands][tile_rows + 4];
  std::uint32_t rows[slice_words * operands][tile_rows + 4];
};

// What else is known of a tile.
struct Tile {
  // Of each query, collecting what sums are compared with; sampling the bits of what its scores err by.
  std::uint32_t asked[tile_rows];
  bool screened[tile_rows];  // of each row
};

// Where a thread's queries or rows are: fours of neighbours, so that threads side by side read side by side.
__device__ __forceinline__ unsigned position(unsigned coordinate, unsigned i) {
  return (i < 4 ? 0 : tile_rows / 2) + 4 * coordinate + i % 4;
}

// The largest sum whose score is at least what is asked.
__device__ __forceinline__ int largest_wanted(float factor, float least) {
  if (!(least <= 0.0f)) return -1;
  if (!(factor < 0.0f)) return nothing - 1;
  const auto wanted = [&](int sum) { return __fmul_rn(factor, static_cast<float>(sum)) >= least; };
  // Sums are less than 2^24, and the quotient is within one of the bound.
  const int sum = static_cast<int>(fminf(least / factor, 0x1p24f));
  return wanted(sum + 1) ? sum + 1 : wanted(sum) ? sum : sum - 1;
}

template <Metric metric, bool collects, bool filtered>
class Comparison {
  using Codes = Differences<metric>;
  static constexpr unsigned operands = Codes::operands;

 public:
  struct Storage {
    Slice<operands> slices[2];
    Tile tiles[2];
    float4 bounds[tile_rows];  // of each query A, B and what a sum is multiplied by; collecting, its threshold
    unsigned counts[tile_rows];
    uint2* lists[tile_rows];
  };

  __device__ __forceinline__ Comparison(const Parameters& p, Storage& storage, unsigned queries)
      : p_(p),
        storage_(storage),
        first_query_(blockIdx.y * tile_rows),
        there_(min(queries - first_query_, tile_rows)) {}

  __device__ __forceinline__ void run() {
    unsigned own = blockIdx.x, word = 0, turn = 0;
    if (own >= p_.tile_count) return;
    begin();
    fetch(own, 0);
    store(0, 0);
    __syncthreads();
    for (unsigned buffer = 0; own < p_.tile_count; buffer ^= 1) {
      // What follows this slice: the next words, or the next tile's first.
      const bool last = p_.depth_steps - word <= slice_words;
      const unsigned next_own = last ? own + p_.splits : own, next_word = last ? 0 : word + slice_words;
      const bool more = next_own < p_.tile_count;
      if (more) fetch(next_own, next_word);
      if (word == 0) begin_sums();
      compare(storage_.slices[buffer], p_.depth_steps - word);
      if (last) {
        if constexpr (collects)
          collect(own, turn);
        else
          sample(own, turn);
        turn ^= 1;
      }
      if (more) store(buffer ^ 1, next_word == 0 ? turn : unchanged);
      __syncthreads();
      own = next_own;
      word = next_word;
    }
    end();
  }

 private:
  static constexpr unsigned unchanged = 2;
  static __device__ __forceinline__ unsigned column() { return threadIdx.x % width; }
  static __device__ __forceinline__ unsigned line() { return threadIdx.x / width; }
  __device__ __forceinline__ unsigned tile(unsigned own) const { return p_.first_tile + p_.tile_step * own; }
  __device__ __forceinline__ std::uint64_t list(unsigned local) const {
    return std::uint64_t{first_query_ + local} * p_.splits + blockIdx.x;
  }

  __device__ __forceinline__ void begin() {
    if (threadIdx.x >= tile_rows) return;
    const bool exists = threadIdx.x < there_;
    const unsigned query = first_query_ + threadIdx.x;
    float4 bounds = exists ? reinterpret_cast<const float4*>(p_.query_bounds)[2 * query] : make_float4(0, 0, 0, 0);
    if constexpr (collects) {
      // Nothing is wanted of a query that is not there.
      bounds.w = exists ? reinterpret_cast<const float*>(p_.thresholds)[query] : __builtin_huge_valf();
      storage_.counts[threadIdx.x] = exists ? reinterpret_cast<const unsigned*>(p_.counts)[list(threadIdx.x)] : 0;
      storage_.lists[threadIdx.x] = reinterpret_cast<uint2*>(p_.found) + list(threadIdx.x) * p_.capacity;
    }
    storage_.bounds[threadIdx.x] = bounds;
  }
  __device__ __forceinline__ void end() const {
    if constexpr (collects)
      if (threadIdx.x < there_)
        reinterpret_cast<unsigned*>(p_.counts)[list(threadIdx.x)] = storage_.counts[threadIdx.x];
  }

  // Of rows a thread has a word of four neighbours; of queries, four words of one. Words that are not there are 0 for both.
  __device__ __forceinline__ void fetch(unsigned own, unsigned first_word) {
    const unsigned row_word = first_word + threadIdx.x / 32;
    next_rows_ = make_uint4(0, 0, 0, 0);
    if (row_word < p_.depth_steps)
      next_rows_ = __ldg(reinterpret_cast<const uint4*>(p_.rows) +
                         (std::uint64_t{tile(own)} * p_.depth_steps + row_word) * 32 + threadIdx.x % 32);
    const unsigned query = min(threadIdx.x / 2, there_ - 1), query_word = first_word + threadIdx.x % 2 * 4;
    const auto* words = reinterpret_cast<const std::uint32_t*>(p_.queries) +
                        std::uint64_t{first_query_ + query} * p_.depth_steps + query_word;
    if (p_.depth_steps % 4 == 0) {
      next_queries_ =
          query_word < p_.depth_steps ? __ldg(reinterpret_cast<const uint4*>(words)) : make_uint4(0, 0, 0, 0);
    } else {
      const auto word = [&](unsigned i) { return query_word + i < p_.depth_steps ? __ldg(words + i) : 0; };
      next_queries_ = make_uint4(word(0), word(1), word(2), word(3));
    }
    if (first_word != 0 || threadIdx.x >= tile_rows) return;
    next_bias_ = __ldg(reinterpret_cast<const float*>(p_.biases) + std::uint64_t{tile(own)} * tile_rows + threadIdx.x);
    next_bounds_ = __ldg(reinterpret_cast<const float4*>(p_.row_bounds) + tile(own));
  }
  // @param turn  of the tile's two places; unchanged: it is stored
  __device__ __forceinline__ void store(unsigned buffer, unsigned turn) {
    Slice<operands>& to = storage_.slices[buffer];
#pragma unroll
    for (unsigned i = 0; i < operands; ++i) {
      *reinterpret_cast<uint4*>(&to.rows[threadIdx.x / 32 * operands + i][4 * (threadIdx.x % 32)]) =
          make_uint4(Codes::operand(next_rows_.x, i), Codes::operand(next_rows_.y, i), Codes::operand(next_rows_.z, i),
                     Codes::operand(next_rows_.w, i));
      std::uint32_t(*queries)[tile_rows + 4] = to.queries + threadIdx.x % 2 * 4 * operands + i;
      queries[0][threadIdx.x / 2] = Codes::operand(next_queries_.x, i);
      queries[operands][threadIdx.x / 2] = Codes::operand(next_queries_.y, i);
      queries[2 * operands][threadIdx.x / 2] = Codes::operand(next_queries_.z, i);
      queries[3 * operands][threadIdx.x / 2] = Codes::operand(next_queries_.w, i);
    }
    if (turn == unchanged || threadIdx.x >= tile_rows) return;
    Tile& of = storage_.tiles[turn];
    of.screened[threadIdx.x] = isfinite(next_bias_);
    const float4 query = storage_.bounds[threadIdx.x];
    const float error = query.x * next_bounds_.x + query.y * next_bounds_.y + next_bounds_.w;
    if constexpr (collects)
      // Nothing is wanted where the threshold is infinite, whatever the error.
      of.asked[threadIdx.x] = Codes::limit(isfinite(query.w) ? largest_wanted(query.z, query.w - error) : -1);
    else
      of.asked[threadIdx.x] = __float_as_uint(error);
  }

  __device__ __forceinline__ void begin_sums() {
#pragma unroll
    for (unsigned i = 0; i < per_thread; ++i)
#pragma unroll
      for (unsigned j = 0; j < per_thread; ++j) sums_[i][j] = 0;
  }
  __device__ __forceinline__ void compare(const Slice<operands>& from, unsigned left) {
    if (left >= slice_words) {
#pragma unroll 2
      for (unsigned step = 0; step < slice_words * operands; ++step) compare_one(from, step);
    } else {
#pragma unroll 1
      for (unsigned step = 0; step < left * operands; ++step) compare_one(from, step);
    }
  }
  __device__ __forceinline__ void compare_one(const Slice<operands>& from, unsigned step) {
    std::uint32_t query[per_thread], row[per_thread];
    read_eight(query, from.queries[step] + 4 * line());
    read_eight(row, from.rows[step] + 4 * column());
#pragma unroll
    for (unsigned i = 0; i < per_thread; ++i)
#pragma unroll
      for (unsigned j = 0; j < per_thread; ++j) Codes::add(sums_[i][j], query[i], row[j]);
  }
  static __device__ __forceinline__ void read_eight(std::uint32_t* to, const std::uint32_t* from) {
    const uint4 low = *reinterpret_cast<const uint4*>(from);
    const uint4 high = *reinterpret_cast<const uint4*>(from + tile_rows / 2);
    to[0] = low.x, to[1] = low.y, to[2] = low.z, to[3] = low.w;
    to[4] = high.x, to[5] = high.y, to[6] = high.z, to[7] = high.w;
  }

  // Bit j tells whether the thread's row j is screened.
  __device__ __forceinline__ unsigned screened_rows(unsigned turn) const {
    unsigned screened = 0;
#pragma unroll
    for (unsigned j = 0; j < per_thread; ++j)
      screened |= storage_.tiles[turn].screened[position(column(), j)] ? 1u << j : 0u;
    return screened;
  }
  __device__ __forceinline__ Filter filter_of(unsigned local) const {
    return Filter(p_.filter_bits, (p_.row_count - 1) / 32 + 1, first_query_ + local);
  }

  __device__ __forceinline__ void collect(unsigned own, unsigned turn) {
    const unsigned first_row = tile(own) * tile_rows, screened = screened_rows(turn);
#pragma unroll
    for (unsigned i = 0; i < per_thread; ++i) {
      const unsigned local = position(line(), i);
      const std::uint32_t limit = storage_.tiles[turn].asked[local];
      unsigned passing = 0;
#pragma unroll
      for (unsigned j = 0; j < per_thread; ++j) passing |= Codes::within(sums_[i][j], limit) ? 1u << j : 0u;
      passing &= screened;
      if (passing == 0) continue;
#pragma unroll
      for (unsigned j = 0; j < per_thread; ++j) {
        if ((passing >> j & 1) == 0) continue;
        const unsigned row = first_row + position(column(), j);
        // Only a query that is there wants any.
        if constexpr (filtered)
          if (!filter_of(local).allows(row)) continue;
        const unsigned at = atomicAdd(&storage_.counts[local], 1u);
        if (at < p_.capacity)
          storage_.lists[local][at] =
              make_uint2(__float_as_uint(score(local, Codes::value(sums_[i][j]))), p_.first_index + row);
      }
    }
  }
  __device__ __forceinline__ float score(unsigned local, int sum) const {
    return __fadd_rn(__fmul_rn(storage_.bounds[local].z, static_cast<float>(sum)), 0.0f);
  }

  __device__ __forceinline__ void sample(unsigned own, unsigned turn) {
    const unsigned first_row = tile(own) * tile_rows, screened = screened_rows(turn);
#pragma unroll
    for (unsigned i = 0; i < per_thread; ++i) {
      const unsigned local = position(line(), i);
      unsigned allowed = filtered ? 0 : ~0u;
      if (filtered && local < there_) {
        const Filter filter = filter_of(local);
#pragma unroll
        for (unsigned j = 0; j < per_thread; j += 4)
          if (const unsigned row = first_row + position(column(), j); row < p_.row_count)
            allowed |= filter.four(row, p_.row_count - 1) << j;
      }
      allowed &= screened;
      int least[per_thread / 2];
#pragma unroll
      for (unsigned pair = 0; pair < per_thread / 2; ++pair)
        least[pair] = min(sampled(i, 2 * pair, allowed), sampled(i, 2 * pair + 1, allowed));
      write_groups(local, own, least, __uint_as_float(storage_.tiles[turn].asked[local]));
    }
  }
  __device__ __forceinline__ int sampled(unsigned i, unsigned j, unsigned allowed) const {
    return (allowed >> j & 1) != 0 ? Codes::value(sums_[i][j]) : nothing;
  }
  // @param least  of the pairs of rows that the thread has
  __device__ __forceinline__ void write_groups(unsigned local, unsigned own, const int (&least)[per_thread / 2],
                                               float error) const {
    const unsigned groups_per_tile = p_.groups / p_.tile_count;
    float* groups = reinterpret_cast<float*>(p_.found) + std::uint64_t{first_query_ + local} * p_.groups +
                    std::uint64_t{own} * groups_per_tile;
    const auto write = [&](unsigned group, int sum) {
      if (local < there_) groups[group] = sum == nothing ? -__builtin_huge_valf() : score(local, sum) - error;
    };
    if (groups_per_tile == 64) {
#pragma unroll
      for (unsigned pair = 0; pair < per_thread / 2; ++pair) write(per_thread / 2 * column() + pair, least[pair]);
      return;
    }
    int best = min(min(least[0], least[1]), min(least[2], least[3]));
    if (groups_per_tile == 16) {
      write(column(), best);
      return;
    }
    // Four threads side by side have a group.
    for (unsigned lanes = 1; lanes < 4; lanes *= 2) best = min(best, __shfl_xor_sync(~0u, best, lanes));
    if (column() % 4 == 0) write(column() / 4, best);
  }

  const Parameters& p_;
  Storage& storage_;
  unsigned first_query_;
  unsigned there_;  // queries of this workgroup
  uint4 next_rows_, next_queries_;
  // Of a tile that is fetched: the row of the thread's number, and all.
  float next_bias_;
  float4 next_bounds_;
  std::uint32_t sums_[per_thread][per_thread];  // [query][row]
};

template <Metric metric, bool collects, bool filtered>
__global__ void __launch_bounds__(threads, 2) screen_difference_tiles(const __grid_constant__ Parameters p) {
  follow_previous_pass();
  __shared__ typename Comparison<metric, collects, filtered>::Storage storage;
  const Selected selected(p.selected, p.first_selected, p.query_count);
  if (blockIdx.y * tile_rows >= selected.count) return;
  Comparison<metric, collects, filtered>(p, storage, selected.count).run();
}

template <Metric metric, bool collects>
Kernel choose(bool filtered) {
  return filtered ? variant(cuda::screen_difference_tiles<metric, collects, true>)
                  : variant(cuda::screen_difference_tiles<metric, collects, false>);
}

}  // namespace

PROXEL_KERNEL(screen_difference_tiles)(const Pass& pass) {
  const auto constants = pass.constants_as<passes::ScreenDifferenceTilesConstants>();
  if (pass.workgroup_size != threads) return {};
  return for_metric(constants.metric, [&](auto metric) -> Kernel {
    constexpr Metric chosen = decltype(metric)::value;
    if constexpr (chosen != Metric::l1 && chosen != Metric::linf)
      return {};
    else
      return constants.collects != 0 ? choose<chosen, true>(constants.filtered)
                                     : choose<chosen, false>(constants.filtered);
  });
}

}  // namespace proxel::cuda
