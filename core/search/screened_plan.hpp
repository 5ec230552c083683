#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "proxel/passes/screen_codes.h"
#include "proxel/passes/screen_integers.h"
#include "proxel/passes/screen_mask.h"
#include "proxel/passes/screen_pack.h"
#include "proxel/screened.hpp"

namespace proxel {

namespace search {

/// Rows that thresholds need to find so many neighbours.
constexpr std::uint64_t fewest_screened_rows(std::uint64_t k) { return 4 * k; }

/// More neighbours than these are found sooner by counting than by sorting, wherever counting serves. Of so many a known
/// distance raises thresholds.
inline constexpr std::uint64_t most_refined = 256;

/// What is collected of a row: score and index.
inline constexpr std::uint64_t found_bytes = 8;

/// Invocations that a query has, as a rule.
inline constexpr std::uint32_t usual_query_workgroup = 128;

/// Values are kept as two halves as long as all three products fit one block.
inline constexpr std::uint32_t most_split_dimensions = passes::screen_block_depth / 3;
/// Invocations that find the neighbours of a query where they are many.
std::uint32_t many_workgroup(const Capabilities& capabilities);
/// One tile in so many is sampled where neighbours are many.
std::uint32_t many_sampled_share(std::uint64_t k, std::uint32_t tiles);

/// The bits of a bias of no row.
constexpr std::uint32_t nothing_of(ScreenOperand operand) {
  return holds_integers(operand) ? passes::screen_integer_nothing : passes::screen_nothing;
}
/// What is multiplied of an operand, which is not of codes.
constexpr passes::ScreenValues values_of(ScreenOperand operand) {
  return holds_integers(operand) ? passes::ScreenValues::integers : passes::ScreenValues::halves;
}
/// Rows or queries for screen_integers as screen_pack would be told of them; where its frame is, others are counted.
passes::ScreenIntegersParameters integers_of(const passes::ScreenPackParameters& pack, ScreenOperand operand);
/// The same for screen_codes.
passes::ScreenCodesParameters codes_of(const passes::ScreenPackParameters& pack);

}  // namespace search

/// What a ScreenedPlan came to.
struct ScreenedPlan::Implementation {
  void record(Recording& recording, const passes::Rows& rows, const SearchBuffers& buffers,
              const BufferView& told) const;

  // Some queries, whose lists share the scratch memory.
  struct Block {
    std::uint32_t first = 0;
    std::uint32_t queries = 0;
    bool again = false;  // scratch memory holds what a block before has left
  };
  // How the rows are shared among workgroups, and what each may collect.
  struct Lists {
    std::uint32_t slots = 0;     // queries at a time
    std::uint32_t splits = 1;    // workgroups that share the rows
    std::uint32_t capacity = 0;  // rows that one of them may collect for a query
    std::uint64_t counts = 0;    // offset in the scratch memory of what they have collected, [slots x splits]
    std::uint64_t count_bytes() const { return std::uint64_t{slots} * splits * 4; }
  };
  // What thresholds come from.
  struct Sample {
    std::uint32_t step = 1;  // every so many tiles
    std::uint32_t tiles = 0;
    std::uint32_t groups_per_tile = 4;
    std::uint32_t rank = 0;  // of the lower bounds of groups, the one that is the threshold
    bool estimated = false;
    bool of_rows = false;     // tiles of ScreenedRows::sample()
    double collected = 0;     // rows that a query collects as a rule
    double half_of_most = 0;  // half of what there is room for
    std::uint32_t groups() const { return tiles * groups_per_tile; }
  };
  // Rows that are collected for each that would be if scores had no errors, as a rule.
  double within_error() const;
  Sample certain_sample(std::uint32_t tiles) const;
  Sample with_estimate(Sample sample) const;
  Sample estimated_sample(const Sample& certain, std::uint32_t tiles) const;
  void choose_sample(std::uint32_t tiles);
  void choose_pool(const Capabilities& capabilities);
  std::uint32_t workgroup_of_query(std::uint32_t queries, const Capabilities& capabilities) const;
  Lists lists_for(std::uint32_t slots, std::uint32_t splits, const Sample& sample) const;
  void lay_out(std::uint32_t queries, const Capabilities& capabilities);

  // More neighbours than a workgroup keeps at hand, or any that a processor finds by codes: rows that may be among them are listed, and
  // sorted in runs.
  bool many() const { return many_.room != 0; }
  // Whether each query has a multiprocessor of its own, as far as the driver tells.
  bool has_multiprocessor_each(const Capabilities& capabilities) const {
    return description_.queries <= capabilities.multiprocessors;
  }
  bool lists_survivors(const Device& device) const;
  void choose_many(const Device& device);
  static Support supports_many(const Device& device, const SearchDescription& description, bool screened);
  void record_survivors(Recording&, const passes::Rows&, const SearchBuffers&, const Block&, const Lists&,
                        std::uint64_t selected, std::uint64_t query_bounds, bool rescue) const;

  // How many filters act through biases: one that all queries share and, where codes serve them, those of each.
  std::uint32_t masks() const {
    if (!screened_ || description_.filter == FilterKind::none) return 0;
    return description_.filter == FilterKind::shared ? 1 : coded() ? description_.queries : 0;
  }
  bool holds_codes() const { return screened_ && screened_->operand() == ScreenOperand::codes; }
  // Few queries, each of which has a list of its own.
  bool coded() const { return holds_codes() && !by_differences(); }
  // Many, by l1 or linf, whose codes are compared tile by tile.
  bool by_differences() const { return holds_codes() && description_.queries > most_listed_queries; }
  // Rows within the error of codes for each neighbour.
  double near_by_codes() const;
  // Room for the rows of a query that are left to be evaluated.
  std::uint32_t as_room(double rows) const;
  std::uint32_t survivors_by_differences() const;
  std::uint32_t survivors_by_codes() const;
  bool half_sums() const { return arithmetic_ == passes::ScreenArithmetic::half_sums; }
  // As screen_pack is told.
  std::uint32_t sums() const {
    if (!half_sums()) return passes::screen_sums_binary32;
    return screened_->split() ? passes::screen_sums_first_halves : passes::screen_sums_halves;
  }
  // Terms of a product, and steps of 16.
  std::uint32_t terms() const { return half_sums() ? description_.dimensions : screened_->depth(); }
  std::uint32_t depth_steps() const { return (terms() + 15) / 16; }
  bool integers() const { return screened_ && holds_integers(screened_->operand()); }
  // Whether distances that are known raise thresholds.
  bool bounded() const {
    return description_.bounded && screened_ && !holds_codes() && !many() && !description_.counted;
  }
  // Whether they are the thresholds, without which a query stays undecided.
  bool unsampled() const { return description_.unsampled && bounded(); }
  // Whether what is collected is evaluated elsewhere, where the rows are.
  bool collects_alone() const { return coded() && description_.copy_alone; }
  // Whether what this leaves undecided is found nowhere.
  bool leaves_undecided() const { return unsampled() || description_.copy_alone; }
  // Whether the first queries to be packed make what starts at 0 so, which spares a fill.
  bool packs_zeros() const { return screened_ && zeroed_bytes_ <= UINT32_MAX; }
  // A block finds the counts of the one before.
  void record_counts(Recording&, const SearchBuffers&, const Block&, const Lists&) const;
  void record_bound(Recording&, const SearchBuffers&, const Block&, std::uint64_t query_bounds) const;
  // The rows as they are evaluated canonically, and what their elements are.
  struct CanonicalRows {
    passes::Rows rows;
    std::uint32_t element = passes::element_float32;
  };
  CanonicalRows canonical_rows(const passes::Rows& rows, bool rescue) const;
  // The same as they are scanned: few rows, here and there, are read as rows where a copy has them so.
  passes::Rows scanned_rows(const passes::Rows& rows) const;
  // Where queries go that half precision, or the rescue, leaves undecided: of what half precision leaves the first are scanned, the others
  // have canonical thresholds; what these leave is scanned.
  std::uint64_t undecided_behind(std::uint64_t scratch, bool rescue) const {
    return scratch + undecided_[rescues_ && !rescue ? 0 : 1];
  }
  // Whether those go another way whose filters leave few rows: canonical thresholds would not decide them either.
  bool divides() const { return rescues_ && description_.filter != FilterKind::none; }
  // Those that have canonical thresholds, but for the first.
  std::uint64_t rescued(std::uint64_t scratch) const { return scratch + undecided_[divides() ? 2 : 0]; }
  // So few rows are scanned sooner than canonical thresholds take, or are fewer than these need.
  std::uint32_t most_sparse_rows() const;
  void record_division(Recording&, const SearchBuffers&) const;
  // What a query takes as it is compared.
  std::uint64_t query_operand_bytes() const;
  // The list of queries that are there; 0: all.
  std::uint64_t listed() const { return numbers_ ? numbers_->address() : 0; }
  // The words of a query's filter; 0 where there is none.
  std::uint64_t filter_of(const SearchBuffers&, std::uint32_t query) const;
  void record_mask(Recording&, const passes::Rows&, const SearchBuffers&) const;
  void record_screened(Recording&, const passes::Rows&, const SearchBuffers&, const Block&) const;
  // And sets the counts of what is collected to 0; of the first queries, with packs_zeros(), all that starts at 0.
  void pack_queries(Recording&, const SearchBuffers&, const Block&) const;
  void record_codes(Recording&, const passes::Rows&, const SearchBuffers&, const Block&) const;
  void record_canonical(Recording&, const passes::Rows&, const SearchBuffers&, const Block&, const Lists&,
                        std::uint64_t selected, bool rescue) const;
  void record_threshold(Recording&, const SearchBuffers&, const Block&, const Sample&, std::uint64_t query_bounds,
                        std::uint64_t selected) const;
  void record_refine(Recording&, const passes::Rows&, const SearchBuffers&, const Block&, const Lists&,
                     std::uint64_t selected, std::uint64_t query_bounds, bool rescue) const;

  PlannedFor device_;
  SearchDescription description_;
  passes::Rows rows_{};  // as planned
  std::optional<ScreenedRows> screened_;
  // What many() needs; where it is not so room is 0.
  struct Many {
    std::uint32_t room = 0;       // survivors of a query
    std::uint32_t run = 0;        // keys that a workgroup sorts at once
    std::uint32_t workgroup = 0;  // its size
  };
  Many many_;
  // Canonical thresholds for what half precision left undecided, but for so many that are scanned.
  bool rescues_ = false;
  std::uint32_t scanned_first_ = 0;
  passes::ScreenArithmetic arithmetic_ = passes::ScreenArithmetic::matrix;
  std::uint32_t workgroup_queries_ = 128;
  Sample sample_;
  Sample certain_;          // of canonical thresholds
  std::uint32_t pool_ = 0;  // rows that screen_refine keeps at hand
  std::uint32_t query_workgroup_ = search::usual_query_workgroup;
  std::uint32_t least_survivors_ = 128;  // that there is room for beside the k
  std::uint32_t code_workgroups_ = 1;    // that share the rows
  Lists lists_;
  Lists rescue_;
  std::uint32_t scan_round_ = 0;  // neighbours that a scan finds at a time
  std::uint32_t scan_lists_ = 0;
  std::uint32_t scan_workgroups_ = 0;
  // Offsets in the scratch memory, bytes.
  // First in it is what starts at 0: both lists of undecided queries, tickets before the second; with divides() what is left of the first; and
  // the counts of the first blocks.
  std::uint64_t undecided_[3] = {};
  std::uint64_t zeroed_bytes_ = 0;
  std::uint64_t scan_offset_ = 0;
  std::uint64_t survivors_offset_ = 0;
  std::uint64_t survivor_counts_offset_ = 0;
  std::uint64_t biases_offset_ = 0;  // with masks()
  std::uint64_t queries_offset_ = 0;
  std::uint64_t query_bounds_offset_ = 0;
  std::uint64_t thresholds_offset_ = 0;
  std::uint64_t found_offset_ = 0;
  std::uint64_t scratch_bytes_ = 0;
  // Where the device counts the queries: that count, three words, their numbers, which are 0, 1, 2, …
  std::unique_ptr<Buffer> numbers_;
};

}  // namespace proxel
