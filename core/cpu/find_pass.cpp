#include <array>
#include <utility>

#include "cpu/fast_passes.hpp"
#include "passes/reference.hpp"

namespace proxel::cpu {
namespace {

template <typename Function, std::size_t count>
Function find(const std::array<std::pair<std::string_view, Function>, count>& table,
              std::string_view name) {
  for (const auto& [known, function] : table)
    if (known == name) return function;
  return nullptr;
}

constexpr auto fast_passes = std::to_array<std::pair<std::string_view, FastPass>>({
    {"scan_select", scan_select},
    {"tile_distance", tile_distance},
    {"tile_nearest", tile_nearest},
    {"select_rows", select_rows},
    {"merge_lists", merge_lists},
    {"matrix_product", matrix_product},
    {"pair_distance", pair_distance},
    {"add_row_norms", add_row_norms},
    {"insertion_sort", insertion_sort},
    {"candidate_distance", candidate_distance},
    {"reevaluate", reevaluate},
    {"stream_select", stream_select},
    {"group_minima", group_minima},
    {"group_select", group_select},
    {"pack_tiles", pack_tiles},
    {"quick_multi_select_subgroup", quick_multi_select_subgroup},
    {"quick_multi_select_workgroup", quick_multi_select_workgroup},
    {"quick_sort_local", quick_sort_local},
    {"merge_sorted", merge_sorted},
    {"texel_accumulate", texel_accumulate},
    {"bvh_search", bvh_search},
    {"levenshtein", levenshtein},
    {"hamming", hamming},
    {"permutation_distance", permutation_distance},
    {"counting_select", counting_select},
    {"signature_terms", signature_terms},
    {"signature_distance", signature_distance},
    {"signature_screen", signature_screen},
    {"signature_bounds", signature_bounds},
    {"signature_pairs", signature_pairs},
    {"sqfd_block", sqfd_block},
    {"sqfd_block_double", sqfd_block_double},
});

constexpr auto reference_passes = std::to_array<std::pair<std::string_view, ReferencePass>>({
#define PROXEL_PASS(name) {#name, reference::name},
#include "proxel_pass_names.inc"
#undef PROXEL_PASS
});

}  // namespace

FastPass find_fast_pass(std::string_view name) { return find(fast_passes, name); }

ReferencePass find_reference_pass(std::string_view name) { return find(reference_passes, name); }

}  // namespace proxel::cpu
