#pragma once

// One case of the passes of a screened search, and how they are run as one chain.

#include <cstdint>
#include <string>
#include <vector>

#include "layout.hpp"
#include "pass_script.hpp"
#include "proxel/metric.hpp"
#include "proxel/passes/screen_integers.h"
#include "proxel/passes/screen_pack.h"
#include "proxel/passes/screen_refine.h"
#include "proxel/passes/screen_tiles.h"
#include "row_filter.hpp"
#include "values.hpp"

namespace proxel::conformance {

/// Rows that screen_refine keeps at hand, or as many as 16 KiB of shared memory hold, which every device has.
inline constexpr std::uint32_t usual_pool = 768;

struct ScreenCase {
  std::uint32_t n, d, q, k;
  Metric metric = Metric::l2sq;
  Kind kind = Kind::uniform;
  passes::ScreenArithmetic arithmetic = passes::ScreenArithmetic::scalar;
  std::uint32_t workgroup_queries = 128;  // a device has kernels for one of the numbers
  bool half_sum_bounds = false;           // bounds allow for sums in half precision, whatever these are of
  bool split = false;
  std::uint32_t groups_per_tile = 64;
  std::uint32_t splits = 1;
  std::uint32_t capacity = 0;  // of one list; 0: every row fits
  Layout layout = Layout::tiles;
  bool padded = false;  // row-major rows begin a multiple of four values apart, so that they are read four at a time
  std::uint32_t pool = usual_pool;
  std::uint32_t survivors = 128;                    // that screen_refine has room for at least
  std::uint32_t query_workgroup = 128;              // of screen_refine
  bool codes = false;                               // 8-bit codes, not halves
  bool differences = false;                         // codes of many queries, by l1 and linf
  std::uint32_t element = passes::element_float32;  // another: integers of that kind, not halves
  FilterChoice filter;                              // per query
  // How far the k-th nearest of each query lies is known, or of two in three; and then perhaps nothing else.
  enum class Known { none, some, all, alone } known = Known::none;
  std::uint32_t rank = 0;  // of the sampled bound that estimates the threshold; 0: k, which makes it certain

  std::uint32_t threshold_rank() const { return rank != 0 ? rank : k; }
  bool half_sums() const { return arithmetic == passes::ScreenArithmetic::half_sums; }
  bool integers() const { return element != passes::element_float32; }
  std::uint32_t origin() const { return element == passes::element_uint8 ? 128 : 0; }
  // What queries are packed for.
  std::uint32_t sums() const {
    if (!half_sums() && !half_sum_bounds) return passes::screen_sums_binary32;
    return split ? passes::screen_sums_first_halves : passes::screen_sums_halves;
  }
  bool splits_queries() const { return split && sums() == passes::screen_sums_binary32; }
  std::uint32_t depth() const { return split ? 3 * d : d; }
  std::uint32_t depth_blocks() const { return integers() ? passes::integer_blocks(d) : (depth() + 63) / 64; }
  // Of split rows sums in half precision take the first halves alone.
  std::uint32_t depth_steps() const {
    if (integers()) return (d + 31) / 32;
    return ((sums() == passes::screen_sums_binary32 ? depth() : d) + 15) / 16;
  }
  std::uint32_t list_capacity() const { return capacity != 0 ? capacity : tiles_of(n) * passes::tile_rows; }
  // Every other tile is sampled where enough groups remain.
  std::uint32_t tile_step() const { return (tiles_of(n) + 1) / 2 * groups_per_tile >= threshold_rank() ? 2 : 1; }
  std::uint32_t sampled_tiles() const { return (tiles_of(n) - 1) / tile_step() + 1; }
  std::uint32_t groups() const { return sampled_tiles() * groups_per_tile; }
  // What scans undecided queries serves at most half of them, and one, in each of two rounds.
  std::uint32_t scan_lists() const { return q / 2 + 1; }
  bool centred() const { return d % 2 == 0 || metric != Metric::ip; }
  std::string name() const;
};

/// What is known of how far the k-th nearest of each query lies: as much as there is, of a query with fewer rows and of every
/// third nothing (NaN).
std::vector<float> known_distances(const ScreenCase& c, const Data& data, const Matrix<std::uint8_t>& filter);

/// Writes the chain: frame, packed operands, sampled lower bounds, thresholds, collected rows, refinement, and the scan of what
/// is left undecided. What each pass leaves is an output of the script.
void write_script(PassScript& script, const ScreenCase& c, const Data& data, const Matrix<std::uint8_t>& filter);

}  // namespace proxel::conformance
