// A square of 16 x 16 threads has 128 queries and tiles of 128 rows, 8 x 8 of them each in registers. Codes come in slices of 8 words
// through two buffers of shared memory: the next slice travels in registers while this one is compared.

#include <cuda_fp16.h>

#include "kernels/chain.cuh"
#include "kernels/filter.cuh"
#include "kernels/screen_bound.cuh"
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
  // Of each query, collecting the largest sum that is wanted, -1: none; sampling the bits of what its scores err by.
  int asked[tile_rows];
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

template <Metric metric, bool collects>
class Comparison {
  using Codes = Differences<metric>;
  static constexpr unsigned operands = Codes::operands;

 public:
  struct Storage {
    Slice<operands> slices[2];
    Tile tiles[2];
    float factors[tile_rows];
    unsigned counts[tile_rows];
  };

  __device__ __forceinline__ Comparison(const Parameters& p, Storage& storage, unsigned queries)
      : p_(p),
        storage_(storage),
        first_query_(blockIdx.y * tile_rows),
        there_(min(queries - first_query_, tile_rows)) {}

  __device__ __forceinline__ void run() {
    begin();
    unsigned own = blockIdx.x, word = 0, turn = 0;
    if (own < p_.tile_count) fetch(own, 0);
    store(0, 0, own);
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
      if (more) store(buffer ^ 1, next_word == 0 ? turn : unchanged, next_own);
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
    storage_.factors[threadIdx.x] = exists ? query_bounds().z : 0;
    if constexpr (collects)
      storage_.counts[threadIdx.x] = exists ? reinterpret_cast<const unsigned*>(p_.counts)[list(threadIdx.x)] : 0;
  }
  // Of the query of the thread's number, which is there.
  __device__ __forceinline__ float4 query_bounds() const {
    return __ldg(reinterpret_cast<const float4*>(p_.query_bounds) + 2 * (first_query_ + threadIdx.x));
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
#pragma unroll
    for (unsigned i = 0; i < 4; ++i) next_queries_[i] = query_word + i < p_.depth_steps ? __ldg(words + i) : 0;
  }
  // @param turn  of the tile's two places; unchanged: it is stored
  __device__ __forceinline__ void store(unsigned buffer, unsigned turn, unsigned own) {
    Slice<operands>& to = storage_.slices[buffer];
#pragma unroll
    for (unsigned i = 0; i < operands; ++i) {
      *reinterpret_cast<uint4*>(&to.rows[threadIdx.x / 32 * operands + i][4 * (threadIdx.x % 32)]) =
          make_uint4(Codes::operand(next_rows_.x, i), Codes::operand(next_rows_.y, i), Codes::operand(next_rows_.z, i),
                     Codes::operand(next_rows_.w, i));
#pragma unroll
      for (unsigned j = 0; j < 4; ++j)
        to.queries[(threadIdx.x % 2 * 4 + j) * operands + i][threadIdx.x / 2] = Codes::operand(next_queries_[j], i);
    }
    if (turn == unchanged || threadIdx.x >= tile_rows || own >= p_.tile_count) return;
    Tile& of = storage_.tiles[turn];
    const float bias = reinterpret_cast<const float*>(p_.biases)[std::uint64_t{tile(own)} * tile_rows + threadIdx.x];
    of.screened[threadIdx.x] = isfinite(bias);
    of.asked[threadIdx.x] = threadIdx.x < there_ ? asked_of_tile(own) : -1;
  }
  __device__ __forceinline__ int asked_of_tile(unsigned own) const {
    const float4 query = query_bounds(), rows = __ldg(reinterpret_cast<const float4*>(p_.row_bounds) + tile(own));
    const float error = query.x * rows.x + query.y * rows.y + query.z * rows.z + rows.w;
    if constexpr (!collects) return __float_as_int(error);
    const float threshold = __ldg(reinterpret_cast<const float*>(p_.thresholds) + first_query_ + threadIdx.x);
    // Nothing is wanted where the threshold is infinite, whatever the error.
    return isfinite(threshold) ? largest_wanted(query.z, threshold - error) : -1;
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
      const int most = storage_.tiles[turn].asked[local];
      unsigned passing = 0;
#pragma unroll
      for (unsigned j = 0; j < per_thread; ++j) passing |= Codes::value(sums_[i][j]) <= most ? 1u << j : 0u;
      passing &= screened;
      if (passing == 0) continue;
      // Only a query that is there wants any.
      const Filter filter = filter_of(local);
#pragma unroll
      for (unsigned j = 0; j < per_thread; ++j) {
        const unsigned row = first_row + position(column(), j);
        if ((passing >> j & 1) == 0 || !filter.allows(row)) continue;
        const unsigned at = atomicAdd(&storage_.counts[local], 1u);
        if (at < p_.capacity)
          reinterpret_cast<uint2*>(p_.found)[list(local) * p_.capacity + at] =
              make_uint2(__float_as_uint(score(local, Codes::value(sums_[i][j]))), p_.first_index + row);
      }
    }
  }
  __device__ __forceinline__ float score(unsigned local, int sum) const {
    return __fadd_rn(__fmul_rn(storage_.factors[local], static_cast<float>(sum)), 0.0f);
  }

  __device__ __forceinline__ void sample(unsigned own, unsigned turn) {
    const unsigned first_row = tile(own) * tile_rows, screened = screened_rows(turn);
#pragma unroll
    for (unsigned i = 0; i < per_thread; ++i) {
      const unsigned local = position(line(), i);
      unsigned allowed = 0;
      if (local < there_) {
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
      write_groups(local, own, least, __int_as_float(storage_.tiles[turn].asked[local]));
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
  uint4 next_rows_;
  std::uint32_t next_queries_[4];
  std::uint32_t sums_[per_thread][per_thread];  // [query][row]
};

template <Metric metric, bool collects>
__global__ void __launch_bounds__(threads, 2) screen_difference_tiles(const __grid_constant__ Parameters p) {
  follow_previous_pass();
  __shared__ typename Comparison<metric, collects>::Storage storage;
  const Selected selected(p.selected, p.first_selected, p.query_count);
  if (blockIdx.y * tile_rows >= selected.count) return;
  Comparison<metric, collects>(p, storage, selected.count).run();
}

template <Metric metric>
Kernel choose(bool collects) {
  return collects ? variant(cuda::screen_difference_tiles<metric, true>)
                  : variant(cuda::screen_difference_tiles<metric, false>);
}

}  // namespace

PROXEL_KERNEL(screen_difference_tiles)(const Pass& pass) {
  const auto constants = pass.constants_as<passes::ScreenDifferenceTilesConstants>();
  const bool collects = constants.collects != 0;
  if (pass.workgroup_size != threads) return {};
  if (constants.metric == Metric::l1) return choose<Metric::l1>(collects);
  return constants.metric == Metric::linf ? choose<Metric::linf>(collects) : Kernel{};
}

}  // namespace proxel::cuda
