#pragma once

#include <string_view>

#include "cpu/kernels.hpp"
#include "cpu/workers.hpp"
#include "proxel/pass.hpp"

namespace proxel::cpu {

/// What a fast pass runs with.
struct Machine {
  Workers& workers;
  const Kernels& kernels;
};

// Passes with a threaded, vectorised version; they write what the reference of
// the same name writes, to the bit. What stands here is declared, and is found by its name.
// clang-format off
#define PROXEL_FAST_PASSES(F)                                                              \
  F(scan_select) F(tile_distance) F(tile_nearest) F(select_rows) F(merge_lists)            \
  F(matrix_product) F(pair_distance) F(add_row_norms) F(insertion_sort)                    \
  F(candidate_distance) F(reevaluate) F(stream_select) F(group_minima) F(group_select)     \
  F(pack_tiles) F(quick_multi_select_subgroup) F(quick_multi_select_workgroup)             \
  F(quick_sort_local) F(merge_sorted) F(normalize_rows) F(texel_accumulate) F(bvh_search)  \
  F(sqfd_block) F(sqfd_block_double) F(levenshtein) F(hamming) F(permutation_distance)     \
  F(counting_select) F(signature_terms) F(signature_distance) F(signature_screen)          \
  F(signature_bounds) F(signature_pairs) F(range_collect) F(range_sort) F(range_decode)    \
  F(permutations)
// clang-format on

#define PROXEL_DECLARE(name) void name(const Pass& pass, Machine& machine);
PROXEL_FAST_PASSES(PROXEL_DECLARE)
#undef PROXEL_DECLARE

/// The fast version of the pass of that name, or null where there is none.
using FastPass = void (*)(const Pass&, Machine&);
FastPass find_fast_pass(std::string_view name);

/// The reference of the pass of that name, or null where there is no such pass.
using ReferencePass = void (*)(const Pass&);
ReferencePass find_reference_pass(std::string_view name);

}  // namespace proxel::cpu
