#pragma once

// Scores on Hopper's matrix units, of halves or of integers. A workgroup keeps 256 queries and walks over
// tiles of rows: one thread has the copy engine bring blocks of both operands into a
// ring of shared memory, four warpgroups multiply 64 queries x 128 rows each, and sample or collect. Three more
// warps make ready what scores are compared with (screen_wide_asked.cuh). While they do they meet only where one waits for
// what another has made. Of 128 queries or fewer one or two warpgroups have all: then, up to 256 dimensions, they take turns at tiles,
// each from a ring of its own.

#include <type_traits>

#include "kernels/chain.cuh"
#include "kernels/screen_wide_asked.cuh"
#include "kernels/screen_wide_collect.cuh"
#include "kernels/screen_wide_integers.cuh"
#include "kernels/screen_wide_sample.cuh"
#include "kernels/selected.cuh"
#include "kernels/variant.cuh"

namespace proxel::cuda::wide {

#ifdef PROXEL_HOPPER
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

// Calls one for each block, whose number is a constant.
template <unsigned most, unsigned block = 0, typename One>
__device__ __forceinline__ void for_known_blocks(unsigned blocks, const One& one) {
  if constexpr (block < most) {
    if (block < blocks) one(KnownBlock<block>());
    for_known_blocks<most, block + 1>(blocks, one);
  }
}

// All products of one tile for one warpgroup.
// @param first  stage of its team's ring
// @param beside_products  is called while the last of them run
template <typename Scores, typename BesideProducts>
__device__ __forceinline__ void multiply(const Parameters& p, const Blocks& blocks, const Teams& teams, unsigned first,
                                         Ring& ring, const typename Scores::Queries& queries,
                                         typename Scores::Sums& sums, const BesideProducts& beside_products) {
  Control& control = *blocks.control;
  unsigned before = most_stages;  // the stage whose products may still run
  const auto multiply_block = [&](auto block) {
    const unsigned stage = first + ring.slot;
    control.full[stage].wait(ring.parity);
    const auto a = queries.block(stage, block);
    const std::uint64_t b = hopper::operand(blocks.stage(stage));
    const unsigned steps = min(4u, p.depth_steps - 4 * block);
    // Products of a group are issued without a branch between them. Their
    // operands are 16 halves or 32 integers, 32 bytes, apart, in units of 16 bytes.
    if (steps == 4) {
      hopper::begin_products();
#pragma unroll
      for (unsigned step = 0; step < 4; ++step) Scores::multiply(sums, a, b, step, block | step);
      hopper::commit_products();
    } else {
      const auto multiply_step = [&](unsigned step) {
        hopper::begin_products();
        Scores::multiply(sums, a, b, step, block | step);
        hopper::commit_products();
      };
      if constexpr (Scores::Queries::most_blocks == 0) {
        for (unsigned step = 0; step < steps; ++step) multiply_step(step);
      } else {
#pragma unroll
        for (unsigned step = 0; step < 3; ++step) {
          if (step >= steps) break;
          multiply_step(step);
        }
      }
    }
    if (before != most_stages) {
      // Groups of the last block may be several; those before have finished then.
      hopper::wait_products<1>();
      if (threadIdx.x % warpgroup == 0) control.empty[before].arrive();
    }
    before = stage;
    ring.advance(teams.stages);
  };
  if constexpr (Scores::Queries::most_blocks == 0) {
    for (unsigned block = 0; block < p.depth_blocks; ++block) multiply_block(block);
  } else {
    // Each has registers of its own, which have no addresses.
    for_known_blocks<Scores::Queries::most_blocks>(p.depth_blocks, multiply_block);
  }
  beside_products();
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
  const typename Use::Scores::Queries own(p, blocks, member);
  Ring ring;
  typename Use::Scores::Sums sums;
  unsigned n = team;
  for (unsigned i = blockIdx.x + team * p.splits; i < p.tile_count; i += teams.count * p.splits, n += teams.count) {
    use.allowed.load(p, queries, p.first_tile + p.tile_step * i);
    use.before_products(control, n, sums);
    multiply<typename Use::Scores>(p, blocks, teams, team * teams.stages, ring, own, sums,
                                   [&] { use.beside_products(control, n); });
    const MarginSlot at(n);
    use.take(sums, control.margins[at.slot], i, control);
    __syncwarp();
    if (threadIdx.x % 32 == 0) control.margins_empty[at.slot].arrive();
  }
  teams.meet();
  use.finish(control, team == 0);
}
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
      control.asked_full[i].initialise(asking_threads / 32);
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
    hopper::keep_registers<32>();
    const unsigned thread = threadIdx.x % warpgroup;
    if (thread == 0) produce(p, there, blocks, teams);
    if constexpr (Use::collects || Use::Scores::samples_arranged)
      if (thread >= 32) ask<Use>(p, there, control, thread - 32);
  }
#endif
}

/// The kernel of a pass of either kind.
/// @tparam Scores  HalfScores, IntegerScores or HalfSums
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
    if (constants.collects != 0) {
      if constexpr (std::is_same_v<Scores, IntegerScores>) {
        if (pass.as<Parameters>().depth_blocks == 1)
          return choose(screen_tiles<Collect<IntegersFromBiases<RegisterQueries<1> >, filtered> >);
        return choose(screen_tiles<Collect<IntegersFromBiases<SharedQueries>, filtered> >);
      } else {
        return choose(screen_tiles<Collect<Scores, filtered> >);
      }
    }
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
