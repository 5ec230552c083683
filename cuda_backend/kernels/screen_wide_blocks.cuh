#pragma once

// What a workgroup of screen_wide.cuh has in shared memory, and which of its warpgroups takes which tile.

#include "kernels/hopper.cuh"
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

// What the scores of a tile's rows are compared with, as its warps read it (screen_wide_asked.cuh).
struct alignas(16) Asked {
  uint4 biases[tile_rows / 4];               // as Scores arranges them
  std::uint32_t queries[workgroup_queries];  // the least that each query wants, as Scores::asked() says it
};

struct Control {
  Margins margins[margin_slots];
  Asked asked[margin_slots];
  float4 asking[workgroup_queries];  // of each query A, B, C and the threshold
  unsigned counts[workgroup_queries];
  Barrier full[most_stages], empty[most_stages];
  Barrier margins_full[margin_slots], asked_full[margin_slots], margins_empty[margin_slots];
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

// Where the margins of the workgroup's tile number n are, and what is asked of its scores.
struct MarginSlot {
  unsigned slot, parity;
  __device__ explicit MarginSlot(unsigned n) : slot(n % margin_slots), parity(n / margin_slots % 2) {}
};
#endif

}  // namespace proxel::cuda::wide
