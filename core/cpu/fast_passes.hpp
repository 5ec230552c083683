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
// the same name writes, to the bit.
void scan_select(const Pass& pass, Machine& machine);
void tile_distance(const Pass& pass, Machine& machine);
void tile_nearest(const Pass& pass, Machine& machine);
void select_rows(const Pass& pass, Machine& machine);
void merge_lists(const Pass& pass, Machine& machine);
void matrix_product(const Pass& pass, Machine& machine);
void pair_distance(const Pass& pass, Machine& machine);
void add_row_norms(const Pass& pass, Machine& machine);
void insertion_sort(const Pass& pass, Machine& machine);
void candidate_distance(const Pass& pass, Machine& machine);
void reevaluate(const Pass& pass, Machine& machine);
void stream_select(const Pass& pass, Machine& machine);
void group_minima(const Pass& pass, Machine& machine);
void group_select(const Pass& pass, Machine& machine);
void pack_tiles(const Pass& pass, Machine& machine);
void quick_multi_select_subgroup(const Pass& pass, Machine& machine);
void quick_multi_select_workgroup(const Pass& pass, Machine& machine);
void quick_sort_local(const Pass& pass, Machine& machine);
void merge_sorted(const Pass& pass, Machine& machine);
void normalize_rows(const Pass& pass, Machine& machine);
void texel_accumulate(const Pass& pass, Machine& machine);
void bvh_search(const Pass& pass, Machine& machine);
void sqfd_block(const Pass& pass, Machine& machine);
void sqfd_block_double(const Pass& pass, Machine& machine);
void levenshtein(const Pass& pass, Machine& machine);
void hamming(const Pass& pass, Machine& machine);
void permutation_distance(const Pass& pass, Machine& machine);
void counting_select(const Pass& pass, Machine& machine);
void signature_terms(const Pass& pass, Machine& machine);
void signature_distance(const Pass& pass, Machine& machine);
void signature_screen(const Pass& pass, Machine& machine);
void signature_bounds(const Pass& pass, Machine& machine);
void signature_pairs(const Pass& pass, Machine& machine);

/// The fast version of the pass of that name, or null where there is none.
using FastPass = void (*)(const Pass&, Machine&);
FastPass find_fast_pass(std::string_view name);

/// The reference of the pass of that name, or null where there is no such pass.
using ReferencePass = void (*)(const Pass&);
ReferencePass find_reference_pass(std::string_view name);

}  // namespace proxel::cpu
