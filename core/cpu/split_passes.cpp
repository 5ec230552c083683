// Passes that become fast by being split: each thread runs the reference of a
// part of the pass.

#include "cpu/fast_passes.hpp"
#include "passes/grids.hpp"
#include "passes/reference.hpp"
#include "proxel/passes.hpp"

namespace proxel::cpu {

void merge_lists(const Pass& pass, Machine& machine) {
  const auto whole = pass.as<passes::MergeListsParameters>();
  constexpr std::uint64_t key_bytes = 8;
  machine.workers.for_each(pass.grid.x, [&](std::uint64_t query) {
    passes::MergeListsParameters part = whole;
    part.lists += query * whole.list_count * whole.k * key_bytes;
    part.merged += query * whole.merged_stride * key_bytes;
    reference::merge_lists(passes::make_merge_lists(part, 1));
  });
}

void pack_tiles(const Pass& pass, Machine& machine) {
  const auto whole = pass.as<passes::PackTilesParameters>();
  constexpr std::uint32_t part_rows = 8 * passes::tile_rows;
  machine.workers.for_each(
      passes::divide_up(whole.source_rows, part_rows), [&](std::uint64_t item) {
        const auto first = static_cast<std::uint32_t>(item * part_rows);
        passes::PackTilesParameters part = whole;
        part.source += std::uint64_t{first} * whole.dimensions * sizeof(float);
        part.first_row += first;
        part.source_rows = std::min(part_rows, whole.source_rows - first);
        reference::pack_tiles(passes::make_pack_tiles(part));
      });
}

}  // namespace proxel::cpu
