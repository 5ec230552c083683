// Scores on Hopper's matrix units. A workgroup keeps 128 queries and walks over
// pairs of row tiles: one warp has the copy engine bring blocks of both operands
// into a ring of shared memory, two warpgroups multiply 64 queries x 256 rows each.
// They meet only at the ring, so that one filters while the other multiplies.
//
// Filtering costs an addition and a maximum per score; only where the best of
// 16 scores passes are they looked at one by one.

#include "kernels/chain.cuh"
#include "kernels/hopper.cuh"
#include "kernels/variant.cuh"
#include "proxel/passes/screen_pack.h"
#include "proxel/passes/screen_tiles.h"

namespace proxel::cuda {
namespace {

using hopper::Barrier;
using passes::tile_rows;
using Parameters = passes::ScreenTilesParameters;

constexpr unsigned block_bytes = passes::screen_block_bytes;
constexpr unsigned pair_rows = 2 * tile_rows;
constexpr unsigned warpgroup = 128;
constexpr unsigned consumers = 2;
constexpr unsigned threads = warpgroup * (consumers + 1);
// Query blocks up to this depth stay in shared memory for good; deeper
// ones travel with the rows.
constexpr unsigned most_resident_blocks = 4;
constexpr unsigned stages = 4;
constexpr unsigned bias_slots = 4;
constexpr float nothing = -__builtin_huge_valf();

struct Control {
  float biases[bias_slots][pair_rows];
  unsigned counts[tile_rows];
  Barrier full[stages], empty[stages];
  Barrier bias_full[bias_slots], bias_empty[bias_slots];
  Barrier queries_full;
};

__host__ __device__ constexpr unsigned stage_bytes(bool resident) { return (resident ? 2u : 3u) * block_bytes; }
__host__ __device__ constexpr unsigned resident_bytes(unsigned depth_blocks) {
  return depth_blocks <= most_resident_blocks ? depth_blocks * block_bytes : 0;
}
// Blocks are 1,024-byte aligned.
unsigned shared_bytes(unsigned depth_blocks) {
  return 1024 + resident_bytes(depth_blocks) +
         stages * stage_bytes(depth_blocks <= most_resident_blocks) + sizeof(Control);
}

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
  char* queries;  // resident blocks
  char* ring;     // stages
  Control* control;
  bool resident;

  __device__ Blocks(char* shared, unsigned depth_blocks) {
    char* aligned = shared + (1024 - hopper::shared_address(shared) % 1024) % 1024;
    resident = depth_blocks <= most_resident_blocks;
    queries = aligned;
    ring = aligned + resident_bytes(depth_blocks);
    control = reinterpret_cast<Control*>(ring + stages * stage_bytes(resident));
  }
  __device__ char* stage(unsigned slot) const { return ring + slot * stage_bytes(resident); }
  __device__ const char* query_block(unsigned slot, unsigned block) const {
    return resident ? queries + block * block_bytes : stage(slot) + 2 * block_bytes;
  }
};

// The tiles of the pass that this workgroup takes, in pairs.
struct Pairs {
  const Parameters& p;
  __device__ unsigned count() const { return (p.tile_count + 1) / 2; }
  __device__ bool has_second(unsigned pair) const { return 2 * pair + 1 < p.tile_count; }
  __device__ unsigned tile(unsigned pair, unsigned half) const {
    return p.first_tile + p.tile_step * (2 * pair + half);
  }
};

__device__ __forceinline__ void produce(const Parameters& p, const Blocks& blocks) {
  const Pairs pairs{p};
  Control& control = *blocks.control;
  const char* queries = reinterpret_cast<const char*>(p.queries) +
                        std::uint64_t{blockIdx.y} * p.depth_blocks * block_bytes;
  if (blocks.resident) {
    control.queries_full.expect(p.depth_blocks * block_bytes);
    hopper::copy_bulk(blocks.queries, queries, p.depth_blocks * block_bytes, control.queries_full);
  }
  Ring stage, bias;
  for (unsigned pair = blockIdx.x; pair < pairs.count(); pair += p.splits) {
    const unsigned halves = pairs.has_second(pair) ? 2 : 1;
    control.bias_empty[bias.slot].wait(bias.parity ^ 1);
    control.bias_full[bias.slot].expect(halves * tile_rows * 4);
    for (unsigned half = 0; half < halves; ++half)
      hopper::copy_bulk(control.biases[bias.slot] + half * tile_rows,
                        reinterpret_cast<const float*>(p.biases) +
                            std::uint64_t{pairs.tile(pair, half)} * tile_rows,
                        tile_rows * 4, control.bias_full[bias.slot]);
    bias.advance(bias_slots);
    for (unsigned block = 0; block < p.depth_blocks; ++block) {
      control.empty[stage.slot].wait(stage.parity ^ 1);
      Barrier& full = control.full[stage.slot];
      full.expect((halves + (blocks.resident ? 0 : 1)) * block_bytes);
      for (unsigned half = 0; half < halves; ++half)
        hopper::copy_bulk(blocks.stage(stage.slot) + half * block_bytes,
                          reinterpret_cast<const char*>(p.rows) +
                              (std::uint64_t{pairs.tile(pair, half)} * p.depth_blocks + block) *
                                  block_bytes,
                          block_bytes, full);
      if (!blocks.resident)
        hopper::copy_bulk(blocks.stage(stage.slot) + 2 * block_bytes,
                          queries + block * block_bytes, block_bytes, full);
      stage.advance(stages);
    }
  }
}

// The two queries of a thread: their place, and what their scores may err by.
struct ThreadQueries {
  unsigned local[2];    // within the workgroup's 128
  unsigned number[2];
  bool valid[2];
  float4 bounds[2];     // A, B, C

  __device__ ThreadQueries(const Parameters& p, unsigned consumer) {
    const unsigned lane = threadIdx.x % 32;
#pragma unroll
    for (unsigned h = 0; h < 2; ++h) {
      local[h] = consumer * 64 + threadIdx.x % warpgroup / 32 * 16 + lane / 4 + 8 * h;
      number[h] = blockIdx.y * tile_rows + local[h];
      valid[h] = number[h] < p.query_count;
      bounds[h] = valid[h] ? reinterpret_cast<const float4*>(p.query_bounds)[2 * number[h]]
                           : make_float4(0, 0, 0, 0);
    }
  }
  __device__ float error(unsigned h, const float4& tile) const {
    return bounds[h].x * tile.x + bounds[h].y * tile.y + bounds[h].z * tile.z + tile.w;
  }
};

__device__ __forceinline__ float4 tile_bounds(const Parameters& p, unsigned tile) {
  return __ldg(reinterpret_cast<const float4*>(p.row_bounds) + tile);
}

// What is done with the scores of a pair: sums[4j + 2h + i] is query h of the thread
// and row 8j + 2 * (lane % 4) + i of the pair.
template <unsigned groups_per_tile>
struct Sample {
  const Parameters& p;
  const ThreadQueries& queries;
  static constexpr unsigned width = 64 / groups_per_tile;  // j of one group

  __device__ void begin(Control&) {}
  __device__ void finish(Control&) {}
  __device__ void take(float (&sums)[128], const float* biases, unsigned pair, Control&) {
    const Pairs pairs{p};
    const unsigned column = threadIdx.x % 4;
#pragma unroll
    for (unsigned half = 0; half < 2; ++half) {
      if (half == 1 && !pairs.has_second(pair)) break;
      const float4 bounds = tile_bounds(p, pairs.tile(pair, half));
      const float error[2] = {queries.error(0, bounds), queries.error(1, bounds)};
#pragma unroll
      for (unsigned group = 0; group < 16 / width; ++group) {
        float best[2] = {nothing, nothing};
#pragma unroll
        for (unsigned i = 0; i < width; ++i) {
          const unsigned j = half * 16 + group * width + i;
          const float2 bias = *reinterpret_cast<const float2*>(biases + 8 * j + 2 * column);
#pragma unroll
          for (unsigned h = 0; h < 2; ++h)
            best[h] = fmaxf(best[h], fmaxf(sums[4 * j + 2 * h] + bias.x, sums[4 * j + 2 * h + 1] + bias.y));
        }
#pragma unroll
        for (unsigned h = 0; h < 2; ++h)
          if (queries.valid[h])
            reinterpret_cast<float*>(p.found)[std::uint64_t{queries.number[h]} * p.groups +
                                              (2 * pair + half) * groups_per_tile + group * 4 +
                                              column] = best[h] - error[h];
      }
    }
  }
};

struct Collect {
  const Parameters& p;
  const ThreadQueries& queries;
  float threshold[2];
  uint2* list[2];

  __device__ Collect(const Parameters& parameters, const ThreadQueries& of)
      : p(parameters), queries(of) {
#pragma unroll
    for (unsigned h = 0; h < 2; ++h) {
      threshold[h] = queries.valid[h]
                         ? reinterpret_cast<const float*>(p.thresholds)[queries.number[h]]
                         : __int_as_float(0x7F800000);
      list[h] = reinterpret_cast<uint2*>(p.found) +
                (std::uint64_t{queries.number[h]} * p.splits + blockIdx.x) * p.capacity;
    }
  }
  __device__ unsigned* count(unsigned h) const {
    return reinterpret_cast<unsigned*>(p.counts) + std::uint64_t{queries.number[h]} * p.splits +
           blockIdx.x;
  }
  // The 64 queries of a warpgroup are its own: no other warpgroup counts for them.
  __device__ void begin(Control& control) {
    if (threadIdx.x % 4 == 0)
#pragma unroll
      for (unsigned h = 0; h < 2; ++h)
        control.counts[queries.local[h]] = queries.valid[h] ? *count(h) : 0;
    __syncwarp();
  }
  __device__ void finish(Control& control) {
    __syncwarp();
    if (threadIdx.x % 4 == 0)
#pragma unroll
      for (unsigned h = 0; h < 2; ++h)
        if (queries.valid[h]) *count(h) = control.counts[queries.local[h]];
  }
  __device__ __forceinline__ void append(unsigned h, float score, unsigned row, Control& control) {
    const unsigned slot = atomicAdd(&control.counts[queries.local[h]], 1u);
    if (slot < p.capacity) list[h][slot] = make_uint2(__float_as_uint(score), p.first_index + row);
  }
  __device__ void take(float (&sums)[128], const float* biases, unsigned pair, Control& control) {
    const Pairs pairs{p};
    const unsigned column = threadIdx.x % 4;
    constexpr unsigned width = 4;
#pragma unroll
    for (unsigned half = 0; half < 2; ++half) {
      if (half == 1 && !pairs.has_second(pair)) break;
      const unsigned tile = pairs.tile(pair, half);
      const float4 bounds = tile_bounds(p, tile);
      const float least[2] = {threshold[0] - queries.error(0, bounds),
                              threshold[1] - queries.error(1, bounds)};
#pragma unroll
      for (unsigned group = 0; group < 16 / width; ++group) {
        float best[2] = {nothing, nothing};
#pragma unroll
        for (unsigned i = 0; i < width; ++i) {
          const unsigned j = half * 16 + group * width + i;
          const float2 bias = *reinterpret_cast<const float2*>(biases + 8 * j + 2 * column);
#pragma unroll
          for (unsigned h = 0; h < 2; ++h) {
            sums[4 * j + 2 * h] += bias.x;
            sums[4 * j + 2 * h + 1] += bias.y;
            best[h] = fmaxf(best[h], fmaxf(sums[4 * j + 2 * h], sums[4 * j + 2 * h + 1]));
          }
        }
        if (best[0] < least[0] && best[1] < least[1]) continue;
#pragma unroll
        for (unsigned i = 0; i < width; ++i) {
          const unsigned j = half * 16 + group * width + i;
          const unsigned row = tile * tile_rows + 8 * (j % 16) + 2 * column;
#pragma unroll
          for (unsigned h = 0; h < 2; ++h) {
            if (sums[4 * j + 2 * h] >= least[h]) append(h, sums[4 * j + 2 * h], row, control);
            if (sums[4 * j + 2 * h + 1] >= least[h])
              append(h, sums[4 * j + 2 * h + 1], row + 1, control);
          }
        }
      }
    }
  }
};

// All products of one pair for one warpgroup.
__device__ __forceinline__ void multiply(const Parameters& p, const Blocks& blocks, Ring& stage,
                                         unsigned consumer, float (&sums)[128]) {
  Control& control = *blocks.control;
  unsigned before = stages;  // the stage whose products may still run
  for (unsigned block = 0; block < p.depth_blocks; ++block) {
    control.full[stage.slot].wait(stage.parity);
    const std::uint64_t a =
        hopper::operand(blocks.query_block(stage.slot, block) + consumer * 64 * 128);
    const std::uint64_t b = hopper::operand(blocks.stage(stage.slot));
    const unsigned steps = min(4u, p.depth_steps - 4 * block);
    // Products of a group are issued without a branch between them. Their
    // operands are 16 halves, 32 bytes, apart, in units of 16 bytes.
    if (steps == 4) {
      hopper::begin_products();
#pragma unroll
      for (unsigned step = 0; step < 4; ++step)
        hopper::multiply_64x256x16(sums, a + 2 * step, b + 2 * step, block | step);
      hopper::commit_products();
    } else {
      for (unsigned step = 0; step < steps; ++step) {
        hopper::begin_products();
        hopper::multiply_64x256x16(sums, a + 2 * step, b + 2 * step, block | step);
        hopper::commit_products();
      }
    }
    if (before != stages) {
      // Groups of the last block may be several; those before have finished then.
      hopper::wait_products<1>();
      if (threadIdx.x % warpgroup == 0) control.empty[before].arrive();
    }
    before = stage.slot;
    stage.advance(stages);
  }
  hopper::wait_products<0>();
  if (threadIdx.x % warpgroup == 0) control.empty[before].arrive();
}

template <typename Use>
__device__ __forceinline__ void consume(const Parameters& p, const Blocks& blocks,
                                        unsigned consumer, Use& use) {
  Control& control = *blocks.control;
  use.begin(control);
  if (blocks.resident) control.queries_full.wait(0);
  Ring stage, bias;
  float sums[128];
  for (unsigned pair = blockIdx.x; pair < Pairs{p}.count(); pair += p.splits) {
    multiply(p, blocks, stage, consumer, sums);
    control.bias_full[bias.slot].wait(bias.parity);
    use.take(sums, control.biases[bias.slot], pair, control);
    __syncwarp();
    if (threadIdx.x % 32 == 0) control.bias_empty[bias.slot].arrive();
    bias.advance(bias_slots);
  }
  use.finish(control);
}

template <typename Use>
__device__ __forceinline__ void screen(const Parameters& p) {
  follow_previous_pass();
  extern __shared__ char shared[];
  const Blocks blocks(shared, p.depth_blocks);
  Control& control = *blocks.control;
  if (threadIdx.x == 0) {
    for (unsigned i = 0; i < stages; ++i) {
      control.full[i].initialise(1);
      control.empty[i].initialise(consumers);
    }
    for (unsigned i = 0; i < bias_slots; ++i) {
      control.bias_full[i].initialise(1);
      control.bias_empty[i].initialise(consumers * warpgroup / 32);
    }
    control.queries_full.initialise(1);
    hopper::publish_barriers();
  }
  __syncthreads();
  if (threadIdx.x >= consumers * warpgroup) {
    hopper::keep_registers<40>();
    if (threadIdx.x == consumers * warpgroup) produce(p, blocks);
  } else {
    hopper::take_registers<232>();
    const unsigned consumer = threadIdx.x / warpgroup;
    const ThreadQueries queries(p, consumer);
    Use use{p, queries};
    consume(p, blocks, consumer, use);
  }
}

template <typename Use>
__global__ void __launch_bounds__(threads, 1) screen_tiles(const __grid_constant__ Parameters p) {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  screen<Use>(p);
#endif
}

}  // namespace

Kernel kernels::screen_tiles(const Pass& pass) {
  constexpr std::uint32_t matrix = 1, sample = 0;
  if (pass.constants[0] != matrix) return {};
#ifndef PROXEL_CUDA_SM90A
  return {};
#else
  const auto choose = [&](auto* function) {
    Kernel kernel = variant(function, shared_bytes(pass.as<Parameters>().depth_blocks));
    kernel.workgroup_size = threads;
    kernel.only_capability = 90;
    return kernel;
  };
  if (pass.constants[1] != sample) return choose(cuda::screen_tiles<Collect>);
  switch (pass.constants[2]) {
    case 4: return choose(cuda::screen_tiles<Sample<4>>);
    case 16: return choose(cuda::screen_tiles<Sample<16>>);
    case 64: return choose(cuda::screen_tiles<Sample<64>>);
    default: return {};
  }
#endif
}

}  // namespace proxel::cuda
