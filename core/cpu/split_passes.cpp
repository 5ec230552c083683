// Passes that become fast by being split: each thread runs the reference of a
// part of the pass.

#include <algorithm>
#include <cstring>

#include "cpu/machine.hpp"
#include "passes/elements.hpp"
#include "passes/grids.hpp"
#include "passes/memory.hpp"
#include "passes/reference.hpp"
#include "proxel/passes/add_row_norms.h"
#include "proxel/passes/insertion_sort.h"
#include "proxel/passes/merge_lists.h"
#include "proxel/passes/normalize_rows.h"
#include "proxel/passes/pack_tiles.h"
#include "proxel/passes/permutations.h"
#include "proxel/passes/range_collect.h"
#include "proxel/passes/range_decode.h"
#include "proxel/passes/range_sort.h"

namespace proxel::cpu {
namespace {

// One query at a time, of a pass that has one in each line of its grid.
// @param advance  (parameters, query): moves what has a part for each query
template <typename Parameters, typename Advance>
void split_by_queries(const Pass& pass, Machine& machine, const Advance& advance) {
  const auto whole = pass.as<Parameters>();
  machine.workers.for_each(pass.grid.y, [&](std::uint64_t query) {
    Parameters part = whole;
    advance(part, query);
    Pass one = pass;
    std::memcpy(one.parameters.data(), &part, sizeof part);
    one.grid.y = 1;
    reference::run(one);
  });
}

}  // namespace

void range_collect(const Pass& pass, Machine& machine) {
  split_by_queries<passes::RangeCollectParameters>(pass, machine,
                                                   [](passes::RangeCollectParameters& part, std::uint64_t query) {
    part.keys += query * part.keys_stride * 4;
    if (part.filter_bits != 0) part.filter_bits += query * part.filter_stride * 4;
    part.counters += query * 4;
    part.offsets += query * 8;
    if (part.rows != 0) part.rows += query * part.rows_stride * 4;
  });
}

void range_sort(const Pass& pass, Machine& machine) {
  split_by_queries<passes::RangeSortParameters>(
      pass, machine, [](passes::RangeSortParameters& part, std::uint64_t query) { part.offsets += query * 8; });
}

void range_decode(const Pass& pass, Machine& machine) {
  split_by_queries<passes::RangeDecodeParameters>(
      pass, machine, [](passes::RangeDecodeParameters& part, std::uint64_t query) { part.offsets += query * 8; });
}

void permutations(const Pass& pass, Machine& machine) {
  const auto whole = pass.as<passes::PermutationsParameters>();
  constexpr std::uint32_t part_objects = 256;
  machine.workers.for_each(passes::divide_up(whole.objects, part_objects), [&](std::uint64_t item) {
    const auto first = static_cast<std::uint32_t>(item * part_objects);
    passes::PermutationsParameters part = whole;
    part.distances += std::uint64_t{first} * whole.object_stride * 4;
    part.first_object += first;
    part.objects = std::min(part_objects, whole.objects - first);
    reference::run(passes::make_permutations(part));
  });
}

void merge_lists(const Pass& pass, Machine& machine) {
  const auto whole = pass.as<passes::MergeListsParameters>();
  constexpr std::uint64_t key_bytes = 8;
  machine.workers.for_each(pass.grid.x, [&](std::uint64_t query) {
    passes::MergeListsParameters part = whole;
    part.lists += query * whole.list_count * whole.k * key_bytes;
    part.merged += query * whole.merged_stride * key_bytes;
    reference::run(passes::make_merge_lists(part, 1));
  });
}

void pack_tiles(const Pass& pass, Machine& machine) {
  const auto whole = pass.as<passes::PackTilesParameters>();
  const std::uint32_t element = pass.constants_as<passes::PackTilesConstants>().element;
  constexpr std::uint32_t part_rows = 8 * passes::tile_rows;
  machine.workers.for_each(passes::divide_up(whole.source_rows, part_rows), [&](std::uint64_t item) {
    const auto first = static_cast<std::uint32_t>(item * part_rows);
    passes::PackTilesParameters part = whole;
    part.source += std::uint64_t{first} * whole.dimensions * passes::element_bytes(element);
    part.first_row += first;
    part.source_rows = std::min(part_rows, whole.source_rows - first);
    reference::run(passes::make_pack_tiles(part, element));
  });
}

void add_row_norms(const Pass& pass, Machine& machine) {
  const auto whole = pass.as<passes::AddRowNormsParameters>();
  constexpr std::uint32_t part_rows = passes::tile_rows;
  machine.workers.for_each(passes::divide_up(whole.row_count, part_rows), [&](std::uint64_t item) {
    const auto first = static_cast<std::uint32_t>(item * part_rows);
    passes::AddRowNormsParameters part = whole;
    part.matrix += std::uint64_t{first} * whole.row_pitch * 4;
    part.norms += std::uint64_t{first} * 4;
    part.row_count = std::min(part_rows, whole.row_count - first);
    reference::run(passes::make_add_row_norms(part));
  });
}

void insertion_sort(const Pass& pass, Machine& machine) {
  const auto whole = pass.as<passes::InsertionSortParameters>();
  // Columns whose elements share a cache line.
  constexpr std::uint32_t part_queries = 16;
  machine.workers.for_each(passes::divide_up(whole.query_count, part_queries), [&](std::uint64_t item) {
    const auto first = static_cast<std::uint32_t>(item * part_queries);
    passes::InsertionSortParameters part = whole;
    part.keys += std::uint64_t{first} * 4;
    part.nearest_keys += std::uint64_t{first} * 4;
    if (part.nearest_indices != 0) part.nearest_indices += std::uint64_t{first} * 4;
    part.query_count = std::min(part_queries, whole.query_count - first);
    reference::run(passes::make_insertion_sort(part));
  });
}

void normalize_rows(const Pass& pass, Machine& machine) {
  const auto whole = pass.as<passes::NormalizeRowsParameters>();
  constexpr std::uint32_t part_rows = passes::tile_rows;
  machine.workers.for_each(passes::divide_up(whole.written_rows, part_rows), [&](std::uint64_t item) {
    const std::uint64_t first = item * part_rows;
    passes::NormalizeRowsParameters part = whole;
    part.rows = passes::from_row(whole.rows, first);
    part.destination = passes::from_row(whole.destination, first);
    const auto rest = [&](std::uint64_t end) {
      return static_cast<std::uint32_t>(std::min<std::uint64_t>(part_rows, end > first ? end - first : 0));
    };
    part.rows.count = rest(whole.rows.count);
    part.written_rows = rest(whole.written_rows);
    Pass piece = pass;
    std::memcpy(piece.parameters.data(), &part, sizeof part);
    reference::run(piece);
  });
}

}  // namespace proxel::cpu
