#pragma once

// Scores on Hopper's matrix units, of halves or of integers. A workgroup keeps 256 queries and walks over
// tiles of rows: one thread has the copy engine bring blocks of both operands into a
// ring of shared memory, four warpgroups multiply 64 queries x 128 rows each. While
// they do they meet only at the ring, so that some filter while others multiply. Of 128 queries or
// fewer one or two warpgroups have all: then, up to 256 dimensions, they take turns at tiles, each from a ring of its own.
//
// Collecting, the sign of what a score has beyond what is asked becomes a bit of a mask, for all of a thread's 64 scores without a
// branch. A filter of a query's own is another mask. Bits that are left are taken in rounds: in each every thread has its next row of
// either query, and the four threads of a query count together, without waiting for memory.

#include <cfloat>
#include <type_traits>

#include "kernels/chain.cuh"
#include "kernels/hopper.cuh"
#include "kernels/selected.cuh"
#include "kernels/variant.cuh"
#include "proxel/passes/screen_integers.h"
#include "proxel/passes/screen_pack.h"
#include "proxel/passes/screen_tiles.h"

// Other architectures lack the instructions: for them the kernel is empty, and the
// backend says that it serves only one (Kernel::only_capability).
#if !defined(__CUDA_ARCH__) || defined(__CUDA_ARCH_FEAT_SM90_ALL)
#define PROXEL_HOPPER
#endif

namespace proxel::cuda::wide {

using hopper::Barrier;
using passes::tile_rows;
using Parameters = passes::ScreenTilesParameters;

constexpr unsigned block_bytes = passes::screen_block_bytes;
constexpr unsigned warpgroup = 128;
constexpr unsigned consumers = 4;
constexpr unsigned threads = warpgroup * (consumers + 1);
constexpr unsigned workgroup_queries = 64 * consumers;
constexpr unsigned query_tiles = workgroup_queries / tile_rows;
// Query blocks up to this depth stay in shared memory for good; deeper ones
// travel with the rows.
constexpr unsigned most_resident_blocks = 4;
constexpr unsigned most_stages = 8;
constexpr unsigned margin_slots = 4;

// What else belongs to the rows of a tile. Where few warpgroups have queries nothing hides the time that reading it from memory
// takes, so that it travels as the rows do.
struct alignas(16) Margins {
  std::uint32_t biases[tile_rows];  // as Scores reads them
  float4 bounds;                    // of all
};

struct Control {
  Margins margins[margin_slots];
  unsigned counts[workgroup_queries];
  Barrier full[most_stages], empty[most_stages];
  Barrier margins_full[margin_slots], margins_empty[margin_slots];
  Barrier queries_full;
};

__host__ __device__ constexpr bool is_resident(unsigned depth_blocks) { return depth_blocks <= most_resident_blocks; }
__host__ __device__ constexpr unsigned stage_bytes(bool resident) {
  return (resident ? 1 : 1 + query_tiles) * block_bytes;
}
__host__ __device__ constexpr unsigned resident_bytes(unsigned depth_blocks) {
  return is_resident(depth_blocks) ? query_tiles * depth_blocks * block_bytes : 0;
}
// As many as there is room for: what is under way hides how long memory takes to answer.
__host__ __device__ constexpr unsigned stages_of(unsigned depth_blocks) {
  constexpr unsigned shared_memory = 227 * 1024;
  const unsigned room = shared_memory - 1024 - resident_bytes(depth_blocks) - unsigned{sizeof(Control)};
  const unsigned fitting = room / stage_bytes(is_resident(depth_blocks));
  return fitting < most_stages ? fitting : most_stages;
}
// Blocks are 1,024-byte aligned.
inline unsigned shared_bytes(unsigned depth_blocks) {
  return 1024 + resident_bytes(depth_blocks) + stages_of(depth_blocks) * stage_bytes(is_resident(depth_blocks)) +
         sizeof(Control);
}

#ifdef PROXEL_HOPPER
constexpr float no_score = -__builtin_huge_valf();

// What scores are, as products leave them. A bias is added to each, which is kept in the same type.
struct HalfScores {
  using Type = float;
  static constexpr float nothing = no_score;

  static __device__ __forceinline__ void multiply(float (&sums)[64], std::uint64_t a, std::uint64_t b, int accumulate) {
    hopper::multiply_64x128x16(sums, a, b, accumulate);
  }
  // The larger of sum + bias and another score.
  static __device__ __forceinline__ float larger(float sum, float bias, float other) {
    return fmaxf(sum + bias, other);
  }
  static __device__ __forceinline__ float value(float score) { return score; }
  static __device__ __forceinline__ float of_bits(std::uint32_t bits) { return __uint_as_float(bits); }
  // The least score that is worth `value`, which is finite.
  static __device__ __forceinline__ float least(float value) { return fmaxf(value, -FLT_MAX); }
  // Has its highest bit set where a score is less than `least`: a difference of two numbers is 0 only where they are equal.
  static __device__ __forceinline__ unsigned short_of(float sum, float bias, float least) {
    return __float_as_uint(__fsub_rn(__fadd_rn(sum, bias), least));
  }
  static constexpr float unreachable = __builtin_huge_valf();
};
struct IntegerScores {
  using Type = int;
  static constexpr int nothing = static_cast<int>(passes::screen_integer_nothing);

  static __device__ __forceinline__ void multiply(int (&sums)[64], std::uint64_t a, std::uint64_t b, int accumulate) {
    hopper::multiply_64x128x32(sums, a, b, accumulate);
  }
  static __device__ __forceinline__ int larger(int sum, int bias, int other) {
    return __viaddmax_s32(sum, bias, other);
  }
  static __device__ __forceinline__ float value(int score) {
    return score <= nothing / 2 ? no_score : __int2float_rn(score);
  }
  static __device__ __forceinline__ int of_bits(std::uint32_t bits) { return static_cast<int>(bits); }
  static __device__ __forceinline__ int least(float value) {
    return min(max(__float2int_ru(value), nothing / 2 + 1), unreachable);
  }
  static __device__ __forceinline__ unsigned short_of(int sum, int bias, int least) {
    return static_cast<unsigned>(sum + bias - least);
  }
  // Beyond every score, and so little that a difference does not overflow.
  static constexpr int unreachable = 1 << 30;
};

// Position in a ring and the parity of its phase.
struct Ring {
  unsigned slot = 0;
  unsigned parity = 0;
  __device__ void advance(unsigned slots) {
    if (++slot == slots) {
      slot = 0;
      parity ^= 1;
    }
  }
};

struct Blocks {
  char* queries;  // resident blocks, tile by tile
  char* ring;     // stages
  Control* control;
  unsigned stages;
  bool resident;

  __device__ Blocks(char* shared, unsigned depth_blocks)
      : stages(stages_of(depth_blocks)), resident(is_resident(depth_blocks)) {
    queries = shared + (1024 - hopper::shared_address(shared) % 1024) % 1024;
    ring = queries + resident_bytes(depth_blocks);
    control = reinterpret_cast<Control*>(ring + stages * stage_bytes(resident));
  }
  __device__ char* stage(unsigned slot) const { return ring + slot * stage_bytes(resident); }
  __device__ const char* query_block(unsigned slot, unsigned tile, unsigned block, unsigned depth_blocks) const {
    return resident ? queries + (tile * depth_blocks + block) * block_bytes : stage(slot) + (1 + tile) * block_bytes;
  }
};

// The first of the workgroup's tiles of queries, and how many there are.
struct QueryTiles {
  unsigned first;
  unsigned count;
  /// @param queries  that are there, at least one of them of this workgroup
  __device__ explicit QueryTiles(unsigned queries) : first(blockIdx.y * query_tiles) {
    const unsigned all = (queries - 1) / tile_rows + 1;
    count = all - first < query_tiles ? all - first : query_tiles;
  }
};

// Who takes which tile: every one of the workgroup's tiles is taken by some warpgroups, one for each 64 queries, and teams of these
// take turns.
struct Teams {
  unsigned members;  // 1, 2 or 4
  unsigned count;
  unsigned stages;  // of the ring of each

  __device__ Teams(unsigned there, const Blocks& blocks) {
    const unsigned queries = there - blockIdx.y * workgroup_queries;
    members = queries > 128 ? 4 : queries > 64 ? 2 : 1;
    // A stage is let go when the products of the next one have begun: each team has at least two. Where blocks of queries travel with
    // those of the rows a ring has four stages, and one team was all that was tried.
    const unsigned rings = blocks.stages >= 8 ? 4 : blocks.stages >= 4 && blocks.resident ? 2 : 1;
    count = min(consumers / members, rings);
    stages = blocks.stages / count;
  }
  __device__ unsigned warpgroups() const { return members * count; }
  // Waits for all warps of all teams.
  __device__ void meet() const { asm volatile("bar.sync 1, %0;" ::"r"(warpgroups() * warpgroup) : "memory"); }
};

// Where the margins of the workgroup's tile number n are.
struct MarginSlot {
  unsigned slot, parity;
  __device__ explicit MarginSlot(unsigned n) : slot(n % margin_slots), parity(n / margin_slots % 2) {}
};

__device__ __forceinline__ void produce(const Parameters& p, unsigned there, const Blocks& blocks, const Teams& teams) {
  Control& control = *blocks.control;
  const QueryTiles tiles(there);
  const char* queries =
      reinterpret_cast<const char*>(p.queries) + std::uint64_t{tiles.first} * p.depth_blocks * block_bytes;
  if (blocks.resident) {
    control.queries_full.expect(tiles.count * p.depth_blocks * block_bytes);
    for (unsigned block = 0; block < tiles.count * p.depth_blocks; ++block)
      hopper::copy_bulk(blocks.queries + block * block_bytes, queries + block * block_bytes, block_bytes,
                        control.queries_full);
  }
  // Where in its ring each team's tile begins: the same for all, until each has had one.
  Ring turn;
  for (unsigned i = blockIdx.x, n = 0; i < p.tile_count; i += p.splits, ++n) {
    const unsigned tile = p.first_tile + p.tile_step * i;
    const MarginSlot at(n);
    Margins& margins = control.margins[at.slot];
    Barrier& margins_full = control.margins_full[at.slot];
    control.margins_empty[at.slot].wait(at.parity ^ 1);
    margins_full.expect(sizeof(Margins));
    hopper::copy_bulk(margins.biases,
                      reinterpret_cast<const std::uint32_t*>(p.biases) + std::uint64_t{tile} * tile_rows,
                      sizeof margins.biases, margins_full);
    hopper::copy_bulk(&margins.bounds, reinterpret_cast<const float4*>(p.row_bounds) + tile, sizeof margins.bounds,
                      margins_full);
    const char* rows = reinterpret_cast<const char*>(p.rows) + std::uint64_t{tile} * p.depth_blocks * block_bytes;
    const unsigned team = n % teams.count;
    Ring ring = turn;
    for (unsigned block = 0; block < p.depth_blocks; ++block) {
      const unsigned slot = team * teams.stages + ring.slot;
      control.empty[slot].wait(ring.parity ^ 1);
      Barrier& full = control.full[slot];
      full.expect((blocks.resident ? 1 : 1 + tiles.count) * block_bytes);
      hopper::copy_bulk(blocks.stage(slot), rows + block * block_bytes, block_bytes, full);
      if (!blocks.resident)
        for (unsigned t = 0; t < tiles.count; ++t)
          hopper::copy_bulk(blocks.stage(slot) + (1 + t) * block_bytes,
                            queries + (t * p.depth_blocks + block) * block_bytes, block_bytes, full);
      ring.advance(teams.stages);
    }
    if (team == teams.count - 1) turn = ring;
  }
}

// The two queries of a thread, eight apart: their place, and what their scores may
// err by.
struct ThreadQueries {
  unsigned local;  // of the first, within the workgroup
  unsigned number;
  bool valid[2];
  float4 bounds[2];  // A, B, C

  __device__ ThreadQueries(const Parameters& p, unsigned there, unsigned consumer) {
    local = consumer * 64 + threadIdx.x % warpgroup / 32 * 16 + threadIdx.x % 32 / 4;
    number = blockIdx.y * workgroup_queries + local;
#pragma unroll
    for (unsigned h = 0; h < 2; ++h) {
      valid[h] = number + 8 * h < there;
      bounds[h] =
          valid[h] ? reinterpret_cast<const float4*>(p.query_bounds)[2 * (number + 8 * h)] : make_float4(0, 0, 0, 0);
    }
  }
  __device__ float error(unsigned h, const float4& tile) const {
    return bounds[h].x * tile.x + bounds[h].y * tile.y + bounds[h].z * tile.z + tile.w;
  }
};

// The biases of two neighbouring rows.
template <typename Scores>
struct Biases {
  typename Scores::Type x, y;
  __device__ __forceinline__ Biases(const std::uint32_t* biases, unsigned j) {
    const auto two = *reinterpret_cast<const uint2*>(biases + 8 * j + 2 * (threadIdx.x % 4));
    x = Scores::of_bits(two.x);
    y = Scores::of_bits(two.y);
  }
};

// Which rows of a tile the filters of a thread's queries leave.
template <typename Scores, bool filtered>
struct Allowed {
  __device__ void load(const Parameters&, const ThreadQueries&, unsigned) {}
  __device__ __forceinline__ bool row(unsigned, unsigned, unsigned) const { return true; }
  __device__ __forceinline__ unsigned rows(unsigned) const { return ~0u; }
};
template <typename Scores>
struct Allowed<Scores, true> {
  unsigned words[2][tile_rows / 32];  // bits 8 (j % 4) + i of word j / 4

  // Before the products, which take longer than the words.
  __device__ void load(const Parameters& p, const ThreadQueries& queries, unsigned tile) {
    const unsigned of_query = (p.row_count - 1) / 32 + 1;
#pragma unroll
    for (unsigned h = 0; h < 2; ++h) {
      // A query that is not there asks as the first, which is.
      const auto* own = reinterpret_cast<const unsigned*>(p.filter_bits) +
                        std::uint64_t{queries.valid[h] ? queries.number + 8 * h : 0} * of_query;
#pragma unroll
      for (unsigned word = 0; word < tile_rows / 32; ++word) {
        const unsigned* address = own + min(tile * (tile_rows / 32) + word, of_query - 1);
        asm volatile("ld.global.nc.u32 %0, [%1];" : "=r"(words[h][word]) : "l"(address));
      }
    }
  }
  // The one that sums[4j + 2h + i] is of.
  __device__ __forceinline__ bool row(unsigned h, unsigned j, unsigned i) const {
    return (words[h][j / 4] >> 2 * (threadIdx.x % 4) >> (8 * (j % 4) + i) & 1) != 0;
  }
  // All of them: that of sums[4j + 2h + i] is bit 31 - (2j + i).
  __device__ __forceinline__ unsigned rows(unsigned h) const {
    unsigned bytes[4];
#pragma unroll
    for (unsigned word = 0; word < 4; ++word) {
      // Two bits of each byte, at 0, 8, 16 and 24, meet at 18, 20, 22 and 24.
      const unsigned pairs = words[h][word] >> 2 * (threadIdx.x % 4) & 0x03030303u;
      bytes[word] = pairs * (1u << 18 | 1u << 12 | 1u << 6 | 1u) >> 18 & 255u;
    }
    return __brev(bytes[0] | bytes[1] << 8 | bytes[2] << 16 | bytes[3] << 24);
  }
};

// What is done with the scores of a tile: sums[4j + 2h + i] is query 8h further than
// the thread's first and row 8j + 2 * (lane % 4) + i.
template <typename Scores_, unsigned groups_per_tile, bool filtered>
struct Sample {
  using Scores = Scores_;
  using Score = typename Scores::Type;
  const Parameters& p;
  const ThreadQueries& queries;
  Allowed<Scores, filtered> allowed;
  static constexpr unsigned width = 64 / groups_per_tile;  // j of one group

  __device__ void begin(Control&, const Teams&, bool) {}
  __device__ void finish(Control&, bool) {}
  __device__ void take(Score (&sums)[64], const Margins& margins, unsigned i, Control&) {
    const float error[2] = {queries.error(0, margins.bounds), queries.error(1, margins.bounds)};
#pragma unroll
    for (unsigned group = 0; group < 16 / width; ++group) {
      Score best[2] = {Scores::nothing, Scores::nothing};
#pragma unroll
      for (unsigned j = group * width; j < (group + 1) * width; ++j) {
        const Biases<Scores> bias(margins.biases, j);
#pragma unroll
        for (unsigned h = 0; h < 2; ++h) {
          if (allowed.row(h, j, 0)) best[h] = Scores::larger(sums[4 * j + 2 * h], bias.x, best[h]);
          if (allowed.row(h, j, 1)) best[h] = Scores::larger(sums[4 * j + 2 * h + 1], bias.y, best[h]);
        }
      }
#pragma unroll
      for (unsigned h = 0; h < 2; ++h)
        if (queries.valid[h])
          reinterpret_cast<float*>(p.found)[std::uint64_t{queries.number + 8 * h} * p.groups + i * groups_per_tile +
                                            group * 4 + threadIdx.x % 4] = Scores::value(best[h]) - error[h];
    }
  }
};

template <typename Scores_, bool filtered>
struct Collect {
  using Scores = Scores_;
  using Score = typename Scores::Type;
  const Parameters& p;
  const ThreadQueries& queries;
  Allowed<Scores, filtered> allowed;
  float threshold[2];
  uint2* lists[2];
  // Rows collected, where the warpgroup alone has its queries; otherwise control.counts has them.
  unsigned count[2];
  bool alone;

  __device__ Collect(const Parameters& parameters, const ThreadQueries& of) : p(parameters), queries(of) {
#pragma unroll
    for (unsigned h = 0; h < 2; ++h)
      threshold[h] =
          queries.valid[h] ? reinterpret_cast<const float*>(p.thresholds)[queries.number + 8 * h] : -no_score;
#pragma unroll
    for (unsigned h = 0; h < 2; ++h) lists[h] = reinterpret_cast<uint2*>(p.found) + list(h) * p.capacity;
  }
  // The list of a query of this workgroup's rows.
  __device__ std::uint64_t list(unsigned h) const {
    return std::uint64_t{queries.number + 8 * h} * p.splits + blockIdx.x;
  }
  // Teams count for the same queries.
  __device__ void begin(Control& control, const Teams& teams, bool first_team) {
    alone = teams.count == 1;
#pragma unroll
    for (unsigned h = 0; h < 2; ++h) {
      count[h] = queries.valid[h] ? reinterpret_cast<unsigned*>(p.counts)[list(h)] : 0;
      if (first_team && threadIdx.x % 4 == 0) control.counts[queries.local + 8 * h] = count[h];
    }
  }
  __device__ void finish(Control& control, bool first_team) {
    if (first_team && threadIdx.x % 4 == 0)
#pragma unroll
      for (unsigned h = 0; h < 2; ++h)
        if (queries.valid[h])
          reinterpret_cast<unsigned*>(p.counts)[list(h)] = alone ? count[h] : control.counts[queries.local + 8 * h];
  }
  // Never that of rows that are not screened; out of reach where nothing is wanted, whatever the error.
  __device__ Score least_score(unsigned h, const float4& bounds) const {
    if (threshold[h] == -no_score) return Scores::unreachable;
    return Scores::least(threshold[h] - queries.error(h, bounds));
  }
  // One of a query's 32 sums of this thread. Registers have no addresses.
  static __device__ __forceinline__ Score element(const Score (&sums)[64], unsigned h, unsigned at) {
    Score left[16];
#pragma unroll
    for (unsigned i = 0; i < 16; ++i) left[i] = (at & 1) != 0 ? sums[4 * i + 2 * h + 1] : sums[4 * i + 2 * h];
#pragma unroll
    for (unsigned i = 0; i < 8; ++i) left[i] = (at & 2) != 0 ? left[2 * i + 1] : left[2 * i];
#pragma unroll
    for (unsigned i = 0; i < 4; ++i) left[i] = (at & 4) != 0 ? left[2 * i + 1] : left[2 * i];
#pragma unroll
    for (unsigned i = 0; i < 2; ++i) left[i] = (at & 8) != 0 ? left[2 * i + 1] : left[2 * i];
    return (at & 16) != 0 ? left[1] : left[0];
  }
  // A place in a query's list for this thread's row; `with` are the warp's threads that have one.
  template <bool alone>
  __device__ __forceinline__ unsigned place(unsigned h, unsigned with, Control& control) {
    const unsigned lane = threadIdx.x % 32;
    if constexpr (!alone) return (with >> lane & 1) != 0 ? atomicAdd(&control.counts[queries.local + 8 * h], 1u) : 0;
    const unsigned of_query = with >> (lane & ~3u) & 15u;
    const unsigned place = count[h] + __popc(of_query & ((1u << lane % 4) - 1));
    count[h] += __popc(of_query);
    return place;
  }
  // Appends the rows whose bits are set: that of sums[4j + 2h + i] is bit 31 - (2j + i).
  template <bool alone>
  __device__ __forceinline__ void append(const Score (&sums)[64], unsigned (&passing)[2], const Margins& margins,
                                         unsigned tile, Control& control) {
    while (true) {
      const unsigned with[2] = {__ballot_sync(~0u, passing[0] != 0), __ballot_sync(~0u, passing[1] != 0)};
      if ((with[0] | with[1]) == 0) return;
#pragma unroll
      for (unsigned h = 0; h < 2; ++h) {
        if (with[h] == 0) continue;
        const unsigned at = __clz(static_cast<int>(passing[h])) & 31u;
        const unsigned row = 2 * (threadIdx.x % 4) + 8 * (at / 2) + at % 2;
        const Score score = element(sums, h, at) + Scores::of_bits(margins.biases[row]);
        const unsigned slot = place<alone>(h, with[h], control);
        if (passing[h] != 0 && slot < p.capacity)
          lists[h][slot] = make_uint2(__float_as_uint(Scores::value(score)), tile * tile_rows + p.first_index + row);
        passing[h] &= ~(0x80000000u >> at);
      }
    }
  }
  __device__ void take(Score (&sums)[64], const Margins& margins, unsigned i, Control& control) {
    const unsigned tile = p.first_tile + p.tile_step * i;
    const Score least[2] = {least_score(0, margins.bounds), least_score(1, margins.bounds)};
    unsigned passing[2] = {0, 0};
#pragma unroll
    for (unsigned j = 0; j < 16; ++j) {
      const Biases<Scores> bias(margins.biases, j);
#pragma unroll
      for (unsigned h = 0; h < 2; ++h) {
        const Score* pair = sums + 4 * j + 2 * h;
        passing[h] = __funnelshift_l(Scores::short_of(pair[0], bias.x, least[h]), passing[h], 1);
        passing[h] = __funnelshift_l(Scores::short_of(pair[1], bias.y, least[h]), passing[h], 1);
      }
    }
#pragma unroll
    for (unsigned h = 0; h < 2; ++h) passing[h] = ~passing[h] & allowed.rows(h);
    // A copy for each, as what is asked in a round slows down all.
    if (alone)
      append<true>(sums, passing, margins, tile, control);
    else
      append<false>(sums, passing, margins, tile, control);
  }
};

// All products of one tile for one warpgroup.
// @param first   stage of its team's ring
// @param member  of the team
template <typename Scores>
__device__ __forceinline__ void multiply(const Parameters& p, const Blocks& blocks, const Teams& teams, unsigned first,
                                         Ring& ring, unsigned member, typename Scores::Type (&sums)[64]) {
  Control& control = *blocks.control;
  unsigned before = most_stages;  // the stage whose products may still run
  for (unsigned block = 0; block < p.depth_blocks; ++block) {
    const unsigned stage = first + ring.slot;
    control.full[stage].wait(ring.parity);
    const std::uint64_t a =
        hopper::operand(blocks.query_block(stage, member / 2, block, p.depth_blocks) + member % 2 * 64 * 128);
    const std::uint64_t b = hopper::operand(blocks.stage(stage));
    const unsigned steps = min(4u, p.depth_steps - 4 * block);
    // Products of a group are issued without a branch between them. Their
    // operands are 16 halves or 32 integers, 32 bytes, apart, in units of 16 bytes.
    if (steps == 4) {
      hopper::begin_products();
#pragma unroll
      for (unsigned step = 0; step < 4; ++step) Scores::multiply(sums, a + 2 * step, b + 2 * step, block | step);
      hopper::commit_products();
    } else {
      for (unsigned step = 0; step < steps; ++step) {
        hopper::begin_products();
        Scores::multiply(sums, a + 2 * step, b + 2 * step, block | step);
        hopper::commit_products();
      }
    }
    if (before != most_stages) {
      // Groups of the last block may be several; those before have finished then.
      hopper::wait_products<1>();
      if (threadIdx.x % warpgroup == 0) control.empty[before].arrive();
    }
    before = stage;
    ring.advance(teams.stages);
  }
  hopper::wait_products<0>();
  if (threadIdx.x % warpgroup == 0) control.empty[before].arrive();
}

template <typename Use>
__device__ __forceinline__ void consume(const Parameters& p, unsigned there, const Blocks& blocks, const Teams& teams,
                                        unsigned consumer) {
  Control& control = *blocks.control;
  const unsigned team = consumer / teams.members, member = consumer % teams.members;
  const ThreadQueries queries(p, there, member);
  Use use{p, queries};
  use.begin(control, teams, team == 0);
  teams.meet();
  if (blocks.resident) control.queries_full.wait(0);
  Ring ring;
  typename Use::Scores::Type sums[64];
  unsigned n = team;
  for (unsigned i = blockIdx.x + team * p.splits; i < p.tile_count; i += teams.count * p.splits, n += teams.count) {
    use.allowed.load(p, queries, p.first_tile + p.tile_step * i);
    multiply<typename Use::Scores>(p, blocks, teams, team * teams.stages, ring, member, sums);
    const MarginSlot at(n);
    control.margins_full[at.slot].wait(at.parity);
    use.take(sums, control.margins[at.slot], i, control);
    __syncwarp();
    if (threadIdx.x % 32 == 0) control.margins_empty[at.slot].arrive();
  }
  teams.meet();
  use.finish(control, team == 0);
}

#else
struct HalfScores;
struct IntegerScores;
template <typename Scores, unsigned groups_per_tile, bool filtered>
struct Sample;
template <typename Scores, bool filtered>
struct Collect;
#endif

template <typename Use>
__global__ void __launch_bounds__(threads, 1) screen_tiles(const __grid_constant__ Parameters p) {
#ifdef PROXEL_HOPPER
  follow_previous_pass();
  const unsigned there = Selected(p.selected, p.first_selected, p.query_count).count;
  if (blockIdx.y * workgroup_queries >= there) return;
  extern __shared__ char shared[];
  const Blocks blocks(shared, p.depth_blocks);
  const Teams teams(there, blocks);
  Control& control = *blocks.control;
  if (threadIdx.x == 0) {
    for (unsigned i = 0; i < blocks.stages; ++i) {
      control.full[i].initialise(1);
      control.empty[i].initialise(teams.members);
    }
    for (unsigned i = 0; i < margin_slots; ++i) {
      control.margins_full[i].initialise(1);
      control.margins_empty[i].initialise(teams.members * warpgroup / 32);
    }
    control.queries_full.initialise(1);
    hopper::publish_barriers();
  }
  __syncthreads();
  const unsigned consumer = threadIdx.x / warpgroup;
  if (consumer < consumers) {
    hopper::take_registers<112>();
    if (consumer < teams.warpgroups()) consume<Use>(p, there, blocks, teams, consumer);
  } else {
    hopper::keep_registers<24>();
    if (threadIdx.x % warpgroup == 0) produce(p, there, blocks, teams);
  }
#endif
}

/// The kernel of a pass of either kind.
/// @tparam Scores  HalfScores or IntegerScores
template <typename Scores>
Kernel kernel_of(const Pass& pass) {
#ifndef PROXEL_CUDA_SM90A
  return {};
#else
  const auto choose = [&](auto* function) {
    Kernel kernel = variant(function, shared_bytes(pass.as<Parameters>().depth_blocks));
    kernel.workgroup_size = threads;
    kernel.only_capability = 90;
    return kernel;
  };
  const auto constants = pass.constants_as<passes::ScreenTilesConstants>();
  const auto of_filter = [&](auto is_filtered) -> Kernel {
    constexpr bool filtered = decltype(is_filtered)::value;
    if (constants.collects != 0) return choose(screen_tiles<Collect<Scores, filtered> >);
    switch (constants.groups_per_tile) {
      case 4:
        return choose(screen_tiles<Sample<Scores, 4, filtered> >);
      case 16:
        return choose(screen_tiles<Sample<Scores, 16, filtered> >);
      case 64:
        return choose(screen_tiles<Sample<Scores, 64, filtered> >);
      default:
        return {};
    }
  };
  return constants.filtered != 0 ? of_filter(std::true_type{}) : of_filter(std::false_type{});
#endif
}

}  // namespace proxel::cuda::wide
