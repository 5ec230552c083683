#pragma once

// Typed makers of every pass. Each fills a Pass from the parameters that
// proxel/passes/<name>.h describes, choosing constants, grid, workgroup size
// and shared memory. They check nothing that a plan has already checked.

#include <cstdint>

#include "proxel/export.h"
#include "proxel/metric.hpp"
#include "proxel/pass.hpp"
#include "proxel/passes/add_row_norms.h"
#include "proxel/passes/after_keys.h"
#include "proxel/passes/bvh_axis.h"
#include "proxel/passes/bvh_codes.h"
#include "proxel/passes/bvh_leaves.h"
#include "proxel/passes/bvh_nodes.h"
#include "proxel/passes/bvh_search.h"
#include "proxel/passes/candidate_distance.h"
#include "proxel/passes/certify_expansion.h"
#include "proxel/passes/counting_select.h"
#include "proxel/passes/decode_keys.h"
#include "proxel/passes/extract_nearest.h"
#include "proxel/passes/group_minima.h"
#include "proxel/passes/group_select.h"
#include "proxel/passes/hamming.h"
#include "proxel/passes/insertion_sort.h"
#include "proxel/passes/levenshtein.h"
#include "proxel/passes/matrix_product.h"
#include "proxel/passes/merge_lists.h"
#include "proxel/passes/merge_sorted.h"
#include "proxel/passes/merge_undecided.h"
#include "proxel/passes/normalize_rows.h"
#include "proxel/passes/pack_tiles.h"
#include "proxel/passes/pair_distance.h"
#include "proxel/passes/permutation_distance.h"
#include "proxel/passes/permutations.h"
#include "proxel/passes/quick_multi_select_subgroup.h"
#include "proxel/passes/quick_multi_select_workgroup.h"
#include "proxel/passes/quick_sort_local.h"
#include "proxel/passes/radix_count.h"
#include "proxel/passes/radix_scan.h"
#include "proxel/passes/radix_scatter.h"
#include "proxel/passes/radix_select.h"
#include "proxel/passes/range_collect.h"
#include "proxel/passes/range_decode.h"
#include "proxel/passes/range_offsets.h"
#include "proxel/passes/range_sort.h"
#include "proxel/passes/reevaluate.h"
#include "proxel/passes/scan_select.h"
#include "proxel/passes/scan_undecided.h"
#include "proxel/passes/screen_canonical.h"
#include "proxel/passes/screen_mask.h"
#include "proxel/passes/screen_origin.h"
#include "proxel/passes/screen_pack.h"
#include "proxel/passes/screen_refine.h"
#include "proxel/passes/screen_threshold.h"
#include "proxel/passes/screen_tiles.h"
#include "proxel/passes/select_rows.h"
#include "proxel/passes/signature_bounds.h"
#include "proxel/passes/signature_distance.h"
#include "proxel/passes/signature_limits.h"
#include "proxel/passes/signature_pairs.h"
#include "proxel/passes/signature_screen.h"
#include "proxel/passes/signature_survivors.h"
#include "proxel/passes/signature_terms.h"
#include "proxel/passes/sqfd_block.h"
#include "proxel/passes/sqfd_block_double.h"
#include "proxel/passes/squared_norms.h"
#include "proxel/passes/stream_select.h"
#include "proxel/passes/string_tables.h"
#include "proxel/passes/texel_accumulate.h"
#include "proxel/passes/texel_collect.h"
#include "proxel/passes/texel_minimum.h"
#include "proxel/passes/texel_pack.h"
#include "proxel/passes/texel_reduce.h"
#include "proxel/passes/texel_unpack.h"
#include "proxel/passes/tile_distance.h"
#include "proxel/passes/tile_nearest.h"
#include "proxel/passes/unpack_rows.h"

PROXEL_PUBLIC_BEGIN
namespace proxel::passes {

/// The list length that selects k keys: 1 for k = 1, otherwise the smallest
/// power of two that is at least k, and at least 2.
std::uint32_t list_length(std::uint64_t k);

/// Shared memory that a selection needs, bytes. With list length 1: a key per
/// invocation. Otherwise 2 * max(list length, workgroup size) keys and 16 bytes.
std::uint32_t selection_shared_bytes(std::uint32_t list_length, std::uint32_t workgroup_size);

/// Shared memory of stream_select, and of group_select, with a pool of
/// `capacity` keys, bytes.
std::uint32_t pool_shared_bytes(std::uint32_t capacity);
std::uint32_t group_select_shared_bytes(std::uint32_t capacity);

/// Keys that a workgroup of a radix pass takes at once.
constexpr std::uint32_t radix_tile(std::uint32_t workgroup_size) { return 16 * workgroup_size; }
/// Shared memory of the radix passes, bytes.
std::uint32_t radix_shared_bytes(std::uint32_t subgroups);

/// Shared memory of counting_select, bytes.
std::uint32_t counting_shared_bytes(std::uint32_t counters, std::uint32_t workgroup_size);

/// Shared memory of quick_sort_local, bytes.
std::uint32_t quick_sort_shared_bytes(std::uint32_t part, std::uint32_t workgroup_size);

/// @param element  element_float32 … element_uint8: of the source
Pass make_pack_tiles(const PackTilesParameters& parameters, std::uint32_t element = element_float32);
Pass make_unpack_rows(const UnpackRowsParameters& parameters);
/// @param centre  takes each row's mean from it first (pearson)
Pass make_normalize_rows(const passes::Rows& from, const passes::Rows& to, std::uint32_t dimensions, bool centre);
/// @param workgroup_size  128 or 256; a device may support only one of them
Pass make_scan_select(const ScanSelectParameters& parameters, Metric metric, std::uint32_t query_count,
                      std::uint32_t workgroup_size = 128);
Pass make_merge_lists(const MergeListsParameters& parameters, std::uint32_t query_count);
/// @param width  8 or 16: side of the square of threads
Pass make_tile_distance(const TileDistanceParameters& parameters, Metric metric, std::uint32_t width);
Pass make_tile_nearest(const TileNearestParameters& parameters, Metric metric, std::uint32_t width);
/// @param width  8 or 16: side of the square of threads
Pass make_matrix_product(const MatrixProductParameters& parameters, std::uint32_t width);
Pass make_squared_norms(const SquaredNormsParameters& parameters);
Pass make_add_row_norms(const AddRowNormsParameters& parameters);
Pass make_pair_distance(const PairDistanceParameters& parameters, Metric metric);
Pass make_insertion_sort(const InsertionSortParameters& parameters);
Pass make_extract_nearest(const ExtractNearestParameters& parameters);
Pass make_certify_expansion(const CertifyExpansionParameters& parameters);
Pass make_candidate_distance(const CandidateDistanceParameters& parameters, Metric metric, std::uint32_t query_count);
Pass make_reevaluate(const ReevaluateParameters& parameters, Metric metric, std::uint32_t query_count);
Pass make_select_rows(const SelectRowsParameters& parameters, std::uint32_t query_count);
/// @param content  range_keys, range_values or range_values_descending
Pass make_range_collect(const RangeCollectParameters& parameters, std::uint32_t query_count,
                        std::uint32_t content = range_keys);
Pass make_range_offsets(const RangeOffsetsParameters& parameters);
/// @param groups  workgroups that share the matches of a query
Pass make_range_sort(const RangeSortParameters& parameters, std::uint32_t groups, std::uint32_t query_count);
Pass make_range_decode(const RangeDecodeParameters& parameters, std::uint32_t groups, std::uint32_t query_count);
Pass make_after_keys(const AfterKeysParameters& parameters, Metric metric);
/// Rows that a workgroup of quick_multi_select_subgroup works on at once.
std::uint32_t quick_multi_select_rows(std::uint32_t subgroup_size);
/// @param subgroup_size  of the device, 4…128
/// @param workgroups     the auxiliary memory holds 2 * columns keys for each of
///                       their quick_multi_select_rows(subgroup_size) rows
Pass make_quick_multi_select_subgroup(const QuickMultiSelectParameters& parameters, std::uint32_t subgroup_size,
                                      std::uint32_t workgroups);
/// @param workgroups  the auxiliary memory holds 2 * columns keys for each
Pass make_quick_multi_select_workgroup(const QuickMultiSelectParameters& parameters, std::uint32_t workgroups);
/// @param workgroup_size  128 or 256; 256 on CUDA
/// @param part            keys of a part: 1,024, 2,048 or 4,096
Pass make_quick_sort_local(const QuickSortLocalParameters& parameters, bool largest_first, std::uint32_t workgroup_size,
                           std::uint32_t part);
/// Fills in the tiles of a pair.
/// @param workgroup_size  128 or 256; 256 on CUDA
Pass make_merge_sorted(MergeSortedParameters parameters, bool largest_first, std::uint32_t workgroup_size);
/// @param workgroup_size  a power of two, 32…512
/// @param capacity        see stream_select.h
Pass make_stream_select(const StreamSelectParameters& parameters, bool largest_first, std::uint32_t workgroup_size,
                        std::uint32_t capacity);
/// @param workgroup_size  a power of two, 32…256
/// @param merge           1, 2, 4 or 8
Pass make_group_minima(const GroupMinimaParameters& parameters, bool largest_first, std::uint32_t workgroup_size,
                       std::uint32_t merge);
/// @param workgroup_size  a power of two, 32…512; 1,024 on CUDA
/// @param capacity        see group_select.h
Pass make_group_select(const GroupSelectParameters& parameters, bool largest_first, std::uint32_t workgroup_size,
                       std::uint32_t capacity);
Pass make_radix_select(const RadixSelectParameters& parameters, bool largest_first, std::uint32_t workgroup_size);
Pass make_radix_count(const RadixCountParameters& parameters, bool largest_first, std::uint32_t workgroup_size);
Pass make_radix_scan(const RadixScanParameters& parameters, std::uint32_t row_count, std::uint32_t workgroup_size);
/// @param subgroups  of a workgroup on the device that it is for
Pass make_radix_scatter(const RadixScatterParameters& parameters, bool largest_first, std::uint32_t workgroup_size,
                        std::uint32_t subgroups);
/// @param number_bytes    2 or 4
/// @param workgroup_size  a power of two, 32…1024 on CUDA
Pass make_counting_select(const CountingSelectParameters& parameters, std::uint32_t number_bytes,
                          std::uint32_t counters, std::uint32_t workgroup_size);
Pass make_decode_keys(const DecodeKeysParameters& parameters);
Pass make_string_tables(const StringTablesParameters& parameters);
/// @param symbol_bytes  1, 2 or 4
/// @param groups        workgroups that share the strings of a query
Pass make_levenshtein(const LevenshteinParameters& parameters, std::uint32_t symbol_bytes, std::uint32_t groups,
                      std::uint32_t query_count);
/// As make_levenshtein().
Pass make_hamming(const LevenshteinParameters& parameters, std::uint32_t symbol_bytes, std::uint32_t groups,
                  std::uint32_t query_count);
Pass make_permutations(const PermutationsParameters& parameters);
/// How two orders of the permutants are compared.
enum class PermutationDistance : std::uint32_t {
  footrule = permutation_footrule,
  spearman_rho = permutation_spearman_rho,
  kendall_tau = permutation_kendall_tau,
};
/// @param content  permutation_binary32, permutation_two_bytes or permutation_four_bytes
/// @param groups   workgroups that share the objects of a tile of queries
Pass make_permutation_distance(const PermutationDistanceParameters& parameters, PermutationDistance distance,
                               std::uint32_t content, std::uint32_t groups);
/// @param kind  similarity_kind.h's
Pass make_signature_terms(const SignatureTermsParameters& parameters, int kind, std::uint32_t dimensions);
/// @param groups  workgroups that share the objects of a query
Pass make_signature_distance(const SignatureDistanceParameters& parameters, int kind, std::uint32_t dimensions,
                             std::uint32_t groups, std::uint32_t query_count);
/// @param groups  workgroups that share the objects of some queries
Pass make_signature_screen(const SignatureScreenParameters& parameters, int kind, std::uint32_t dimensions,
                           std::uint32_t groups);
Pass make_signature_limits(const SignatureLimitsParameters& parameters);
/// @param groups  workgroups that share the objects of a query, as of the two others
Pass make_signature_bounds(const SignatureBoundsParameters& parameters, std::uint32_t groups,
                           std::uint32_t query_count);
Pass make_signature_survivors(const SignatureSurvivorsParameters& parameters, std::uint32_t groups,
                              std::uint32_t query_count);
Pass make_signature_pairs(const SignaturePairsParameters& parameters, int kind, std::uint32_t dimensions,
                          std::uint32_t groups, std::uint32_t query_count);
/// What sqfd_block computes with in between.
enum class SqfdPrecision { float32, float64 };
/// A pass of sqfd_block or of sqfd_block_double.
Pass make_sqfd_block(const SqfdBlockParameters& parameters, SqfdPrecision precision);
Pass make_bvh_axis(const BvhAxisParameters& parameters);
Pass make_bvh_codes(const BvhCodesParameters& parameters);
Pass make_bvh_leaves(const BvhLeavesParameters& parameters);
Pass make_bvh_nodes(const BvhNodesParameters& parameters);
Pass make_bvh_search(const BvhSearchParameters& parameters, Metric metric, std::uint32_t dimensions);

/// What screen_tiles multiplies with.
enum class ScreenArithmetic : std::uint32_t {
  scalar = 0,  ///< binary32 arithmetic on the halves' values, on any device
  matrix = 1,  ///< matrix units: half precision with binary32 accumulation
};
enum class ScreenPurpose : std::uint32_t { sample = 0, collect = 1 };

/// @param centre  false keeps the origin at zero
Pass make_screen_origin(const ScreenOriginParameters& parameters, bool centre);
Pass make_screen_mask(const ScreenMaskParameters& parameters);
/// @param metric  l2sq, l2 or ip
/// @param tiles   of 128 rows, from parameters.first_tile on
Pass make_screen_pack(const ScreenPackParameters& parameters, Metric metric, bool queries, bool split,
                      std::uint32_t tiles);
/// @param groups_per_tile    4, 16 or 64; sampling only
/// @param workgroup_queries  128 or 256; a device's kernel has one of them
Pass make_screen_tiles(const ScreenTilesParameters& parameters, ScreenArithmetic arithmetic, ScreenPurpose purpose,
                       std::uint32_t groups_per_tile, std::uint32_t workgroup_queries);
/// @param width  16: side of the square of threads
/// @param few    of the slots as a rule few stand for a query: few workgroups stride over them
Pass make_screen_canonical(const ScreenCanonicalParameters& parameters, Metric metric, ScreenPurpose purpose,
                           std::uint32_t width, bool few = false);
Pass make_screen_threshold(const ScreenThresholdParameters& parameters);
/// @param pool  rows considered per query, a multiple of 128, at most screen_most_collected
/// @param few   as above
Pass make_screen_refine(const ScreenRefineParameters& parameters, Metric metric, std::uint32_t pool, bool few = false);
/// @param workgroups  how many share the work
Pass make_scan_undecided(const ScanUndecidedParameters& parameters, Metric metric, std::uint32_t workgroups);
Pass make_merge_undecided(const MergeUndecidedParameters& parameters);

Pass make_texel_pack(const TexelPackParameters& parameters, Texture& coordinates);
/// @param dimension_count  t, 1…16
Pass make_texel_accumulate(const TexelAccumulateParameters& parameters, Metric metric, std::uint32_t dimension_count,
                           std::uint32_t query_count, Texture& coordinates, Texture& accumulated_distances);
Pass make_texel_minimum(const TexelMinimumParameters& parameters, Metric metric, std::uint32_t query_count,
                        Texture& accumulated_distances, Texture& candidates);
Pass make_texel_reduce(const TexelReduceParameters& parameters, std::uint32_t query_count, Texture& candidates);
Pass make_texel_collect(const TexelCollectParameters& parameters, Texture& candidates);
/// @param layers  of each texture that is read
Pass make_texel_unpack(const TexelUnpackParameters& parameters, std::uint32_t layers, Texture& values,
                       Texture& candidates);

}  // namespace proxel::passes
PROXEL_PUBLIC_END
