#pragma once

// The screened search: exact k-NN at the speed of matrix units.
//
// Half-precision scores discard what provably is not among the k nearest; what
// is left is evaluated canonically, and queries for which that does not decide
// are scanned canonically. The answer is the scan's, to the bit.
// docs/proofs/screened.md derives the bound.

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "proxel/export.h"
#include "proxel/passes/screen_pack.h"
#include "proxel/passes/screen_tiles.h"
#include "proxel/search.hpp"

PROXEL_PUBLIC_BEGIN
namespace proxel {

/// What the values of a copy are kept as.
enum class ScreenOperand : std::uint32_t {
  /// Half precision, for matrix units and many queries. For l2sq, l2, ip, cosine and pearson. Takes about 2 bytes per
  /// value (dimensions rounded up to 64) and 4 per row.
  halves = 0,
  /// 8-bit codes, for few queries, which are bound by the bytes that are read. For every metric. Takes 1 byte per value
  /// (dimensions rounded up to 4) and 4 per row.
  codes = 1,
  /// Integers from -128 to 127 as they are, for matrix units and many queries of such integers. For l2sq, l2 and ip,
  /// and up to 1,024 dimensions. Takes 1 byte per value (dimensions rounded up to 128) and 4 per row. Nothing is lost,
  /// so that distances are computed from the copy itself.
  int8 = 2,
  /// The same from 0 to 255.
  uint8 = 3,
};
std::string_view to_string(ScreenOperand operand);
/// Whether an operand is of integers.
constexpr bool holds_integers(ScreenOperand operand) {
  return operand == ScreenOperand::int8 || operand == ScreenOperand::uint8;
}

/// Copy of a database in fewer bits, with what bounds its error. Made once per
/// database and kind of metric (l2sq and l2 share one; ip, and cosine and pearson,
/// which are ip of normalised rows, have their own). With a
/// row-major copy of the values it takes 4 bytes per value more, and the rows that
/// are evaluated canonically are read several times faster.
///
/// A handle: copies of it, and plans made with it, share the memory, which lives as long as the last of them.
class ScreenedRows {
 public:
  /// An empty one, of which every use throws Error(invalid_argument).
  ScreenedRows() = default;

  /// Whether the device can make and use one for this metric and size, and why not.
  static Support supports(const Device& device, Metric metric, std::uint64_t rows, std::uint32_t dimensions,
                          ScreenOperand operand = ScreenOperand::halves);

  /// Allocates; the contents are undefined until record() has been executed.
  /// @param row_major_copy  of integers none is made, whatever is asked for
  /// @param capacity        rows that set_rows() may ask for later; at least `rows`, or 0: those
  /// Throws Error(unsupported | out_of_memory).
  ScreenedRows(Device& device, Metric metric, std::uint64_t rows, std::uint32_t dimensions, bool row_major_copy = true,
               std::uint64_t capacity = 0, ScreenOperand operand = ScreenOperand::halves);

  /// What a copy takes in device memory.
  static std::uint64_t bytes(std::uint64_t rows, std::uint32_t dimensions, bool row_major_copy = true,
                             ScreenOperand operand = ScreenOperand::halves);

  /// Records the packing of all rows, or of the tiles of 128 from `first_row` on
  /// where only they have changed: the origin and the scale then stay what they
  /// were, which costs exactness nothing and speed where new rows lie far outside.
  /// Of integers all rows have to be those that the operand holds: see others().
  /// @param rows  the database in one piece, in any layout
  /// Throws Error(invalid_argument) before it records anything.
  void record(Recording& recording, const passes::Rows& rows, std::uint64_t first_row = 0) const;
  /// Of codes: records what the packing of some rows goes by. @param sample  rows from everywhere among them, in any layout
  /// Throws Error(invalid_argument) before it records anything.
  void record_frame(Recording& recording, const passes::Rows& sample) const;
  /// Of integers, and of codes behind record_frame(): records the packing of some rows, which are all that there is of them at a
  /// time. Of integers others() counts those that are none, from row 0 on.
  /// @param rows       first_row … first_row + rows.count - 1
  /// @param first_row  a multiple of 128
  /// Throws Error(invalid_argument) before it records anything.
  void record_some(Recording& recording, const passes::Rows& rows, std::uint64_t first_row) const;

  /// This handle is for another number of rows from now on: 1 to capacity(). Throws Error(invalid_argument).
  void set_rows(std::uint64_t rows);
  std::uint64_t capacity() const { return capacity_; }

  std::uint64_t rows() const { return rows_; }
  std::uint32_t dimensions() const { return dimensions_; }
  /// As it is accumulated; of halves l2sq or ip.
  Metric metric() const { return metric_; }
  ScreenOperand operand() const { return operand_; }
  /// Whether a value is kept as two halves: for few dimensions, where that costs nothing.
  bool split() const { return split_; }
  /// What is multiplied of a row that is not padding, in halves: an integer takes half of one.
  std::uint32_t depth() const {
    return split_ ? 3 * dimensions_ : holds_integers(operand_) ? (dimensions_ + 1) / 2 : dimensions_;
  }
  std::uint32_t depth_blocks() const;
  /// 32-bit words of a row's codes.
  std::uint32_t words() const;

  const Buffer& frame() const { return *memory().frame; }
  const Buffer& packed() const { return *memory().packed; }
  const Buffer& biases() const { return *memory().biases; }
  const Buffer& bounds() const { return *memory().bounds; }
  /// Of fewer rows a sample of one in some costs as much as what a sample of tiles makes many queries collect.
  static constexpr std::uint64_t fewest_sampled_rows = 65536;
  /// A part of the copy that stands for all of it: rows from everywhere, whatever their order (screen_sample). It says about how
  /// far to look, where a search has no filter; with one, tiles of the copy itself do. Of codes, and of fewer rows than fewest_sampled_rows, there is none.
  struct Sample {
    std::uint64_t packed = 0, biases = 0, bounds = 0;  ///< device addresses, of what the copy has under these names
    std::uint32_t share = 0;                           ///< it has one row in so many; 0: there is none
    std::uint32_t tiles = 0;                           ///< of 128 rows
  };
  Sample sample() const;
  /// Of integers: memory whose first 32-bit word counts the rows that have been packed and are none: where it is not 0
  /// when record() has been executed the copy must not be searched.
  BufferView others() const { return BufferView(*memory().frame, 0, 4); }
  /// The same as bounds(), to be copied: four binary32 for each tile of 128 rows.
  BufferView row_bounds() const { return BufferView(*memory().bounds); }
  /// Null where there is none; binary32 [rows x row_major_stride()].
  const Buffer* row_major() const { return memory().row_major.get(); }
  /// The dimensions, or from 16 on the next multiple of four, so that rows are read four values at a time.
  std::uint32_t row_major_stride() const;
  bool empty() const { return memory_ == nullptr; }
  /// The device that it was made for.
  const Device& device() const { return memory().device; }

 private:
  struct Memory {
    explicit Memory(const Device& of) : device(of) {}
    const Device& device;
    std::unique_ptr<Buffer> frame, packed, biases, bounds, row_major, sample;
  };
  const Memory& memory() const;
  void record_origin(Recording& recording, const passes::Rows& rows) const;
  void record_sample(Recording& recording) const;
  // Those of a packing from its first tile on.
  void record_tiles(Recording& recording, passes::ScreenPackParameters pack, std::uint64_t tiles) const;

  Metric metric_ = Metric::l2sq;
  ScreenOperand operand_ = ScreenOperand::halves;
  std::uint64_t rows_ = 0;
  std::uint64_t capacity_ = 0;
  std::uint32_t dimensions_ = 0;
  bool split_ = false;
  std::shared_ptr<const Memory> memory_;
};

/// k nearest rows of many queries: a threshold for each from a sample of the rows,
/// then one pass over all rows that keeps what reaches it.
///
/// With a ScreenedRows of halves the scores come from matrix units, and queries that their
/// error leaves undecided are searched again with canonical distances. So are, with one of integers, queries
/// that are no such integers; for others scores have no error but the rounding of binary32. With one of codes
/// the scores are sums of integers, and such queries are scanned, or with more than most_listed_queries searched
/// again with canonical distances. Without
/// one canonical distances are used at once, for any metric: best for one or two
/// dimensions, and for l1 and linf where codes do not serve. What thresholds cannot decide at
/// all (more rows tie with the k-th than lists hold) is scanned.
class ScreenedPlan {
 public:
  /// Queries and neighbours that codes serve at most; on the `cpu` device they serve most_coded_k_of_cpu neighbours. By l1 and linf GPUs serve
  /// any number of queries, where the copy is not alone: up to most_listed_queries as they do four, for as many neighbours, and more of
  /// them tile by tile, for up to most_k.
  static constexpr std::uint32_t most_coded_queries = 4, most_listed_queries = 16;
  static constexpr std::uint64_t most_coded_k = 128;
  /// Neighbours that any plan serves at most.
  static constexpr std::uint64_t most_k = 65536;
  static constexpr std::uint64_t most_coded_k_of_cpu = 16384;
  /// Queries from which on each has as many invocations as a subgroup instead of 128, for up to 64 neighbours, where the device is no
  /// processor: on an H200 1,056 workgroups of 128 run at a time. What thresholds leave undecided is refined so, too, as a pass of
  /// another size would be another pipeline, which a first search waits for. And where a workgroup has little shared memory, the
  /// candidates of each have less room.
  static constexpr std::uint32_t many_queries = 2048;

  /// Whether a plan could serve this, and why not.
  /// @param operand  of the ScreenedRows; without one: canonical thresholds alone
  static Support supports(const Device& device, const SearchDescription& description,
                          std::optional<ScreenOperand> operand);
  /// Whether the device has matrix units for products of that operand.
  static bool on_matrix_units(const Device& device, ScreenOperand operand);
  /// The part of it that filters and pages decide; asks nothing of a device. Any filter is served, and no page.
  static Support supports_narrowing(const SearchDescription& description);

  /// @param description  k at most most_k; with `screened` of halves or integers the metric is l2sq, l2 or ip, with codes
  ///                     k is at most most_coded_k (most_coded_k_of_cpu on the `cpu` device) of up to most_listed_queries
  /// @param screened     of the same rows and metric; or null. The plan keeps a handle of it
  /// Throws Error(invalid_argument | unsupported) naming the field at fault.
  static ScreenedPlan make(Device& device, const SearchDescription& description, const ScreenedRows* screened,
                           const passes::Rows& rows);
  /// Whether there is none: default-constructed, or moved from. Every use of an empty plan throws Error(invalid_argument).
  bool empty() const { return implementation_.empty(); }

  std::uint64_t scratch_bytes() const;
  /// Whether canonical thresholds stand between half precision and the scan.
  bool rescues() const;
  /// How many queries the canonical scan answers.
  /// @param after_scores, after_thresholds  the first two words that record() tells
  std::uint32_t scanned(std::uint32_t after_scores, std::uint32_t after_thresholds) const;
  /// Whether thresholds are estimates: not where SearchDescription::cautious was asked for.
  bool estimates() const;
  /// Whether matrix units sum products up in half precision: not where SearchDescription::binary32_sums was asked for.
  bool half_sums() const;
  /// Whether queries may stay undecided: SearchDescription::unsampled was asked for, and makes a difference, or copy_alone.
  bool leaves_undecided() const;

  /// Records the search, as ScanPlan::record does.
  /// @param rows  the database that `screened` was packed from, in the layout that make() was given
  /// @param told  32-bit [3], out: how many queries half precision, or the integers, left to canonical thresholds, how many are left to
  ///              the scan beside the first of those, and how many of these have filters that allow few rows, which is not
  ///              written where the plan leaves_undecided(); readback memory spares a copy; empty: nowhere
  void record(Recording& recording, const passes::Rows& rows, const SearchBuffers& buffers,
              const BufferView& told = {}) const;

  /// Where queries are counted by the device: memory of the plan's, whose first 32-bit word is how many
  /// there were in the latest search. Otherwise null.
  Buffer* counted() const;
  /// Of codes alone (SearchDescription::copy_alone): where in the scratch memory stands, after the search, what was collected
  /// for its queries, in bytes. It is what ScreenRefineParameters has of one split.
  struct Collected {
    std::uint64_t query_bounds = 0;  ///< eight binary32 per query
    std::uint64_t counts = 0;        ///< 32-bit [queries]
    std::uint64_t found = 0;         ///< (score, index) [queries x capacity]
    std::uint32_t capacity = 0;
  };
  Collected collected() const;
  /// Where in the scratch memory a 32-bit count stands after the search: 0: how many queries half precision left
  /// undecided, where the plan rescues(); 1: how many canonical thresholds left, and those of which filters leave few rows, or half precision
  /// where there are no thresholds. What record() tells has those of few rows apart.
  std::uint64_t undecided_offset(unsigned rung) const;

 private:
  struct PROXEL_HIDDEN Implementation;
  Planned<Implementation> implementation_;
};

}  // namespace proxel
PROXEL_PUBLIC_END
