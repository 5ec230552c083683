#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "index/block_parts.hpp"
#include "index/implementation.hpp"
#include "index/kept_answers.hpp"
#include "index/live_filter.hpp"
#include "index/whole_copy.hpp"
#include "sharding/page.hpp"
#include "sharding/row_numbers.hpp"

namespace proxel {

/// Rows that are on the device block by block, because all of them do not fit or are stored in a narrower type. Each block
/// becomes the rows of one index, whose methods search it; the blocks' answers are merged by (distance, index), so that
/// they are those of one search of all rows, to the bit. Copies of the next block run beside the search of this one where
/// the device can do so.
struct Index::Implementation::Blocks {
  /// @param block_rows  that are on the device at once: whole tiles, or all rows
  /// @param options     of the searches of a block; its storage is not looked at
  Blocks(Device& device, std::unique_ptr<index::BlockSource> source, std::uint64_t rows, std::uint32_t dimensions,
         std::uint64_t block_rows, const IndexOptions& options);

  /// Over rows that stay in host memory, which outlive the result, with the block
  /// that is searched and the next on the device.
  /// @param memory_limit  of the two, bytes. Throws Error(invalid_argument) where
  ///                      it does not hold a tile of 128 rows twice.
  /// @param codes         that codes of all rows may take besides, bytes (index::StreamedCodes); 0: there are none
  static std::unique_ptr<Blocks> streamed(Device& device, const index::HostRows& database, const IndexOptions& options,
                                          std::uint64_t memory_limit, std::uint64_t codes);
  /// Over rows that are uploaded in options.storage as `fill` writes them, widened
  /// in blocks that take about options.scratch_limit.
  static std::unique_ptr<Blocks> stored(Device& device, std::uint64_t rows, std::uint32_t dimensions,
                                        const index::StoredBlocks::Fill& fill, const IndexOptions& options,
                                        const Progress& progress);

  /// Rows that there is room for at once.
  std::uint64_t block_rows() const { return block_rows_; }
  index::BlockSource& source() { return *source_; }
  /// As of the implementation: the method that answers for a block of that search.
  Support find_method(SearchDescription wanted, FilterKind given, Method& found) const;
  /// As of the implementation, of all rows of all parts; at first these are all.
  void be_part_of(std::uint64_t rows);

  /// The searches of an Index, of what has been checked. Progress counts rows.
  /// @param live  of all rows: others are not found
  /// @param read  reads rows, where the search continues behind a page
  Neighbors nearest(const MatrixView<float>& queries, std::uint64_t k, Metric metric, const SearchOptions& with,
                    const index::LiveRows& live, const sharding::ReadRows& read);
  RangeNeighbors within(const MatrixView<float>& queries, float radius, Metric metric, const SearchOptions& with,
                        const index::LiveRows& live);

 private:
  // An index of rows that others take the place of.
  struct Resident {
    Index index;
    Implementation& inside;  // of it

    // Without tiles yet. @param whole  all rows, of which these are a part
    Resident(Device& device, std::uint64_t rows, std::uint32_t dimensions, const IndexOptions& options,
             std::uint64_t whole);
  };

  // What the plans of smaller parts depend on.
  struct Asked {
    std::uint64_t queries = 0, k = 0;  // k: 0 of a range
    Metric metric = Metric::l2sq;

    bool operator==(const Asked&) const = default;
  };
  // Before every search: what was made for smaller parts of another kind gives its memory back.
  void begin(const Asked& asked);
  // Which serve the latest search; nothing where none spare time.
  std::optional<index::SmallParts> small_parts() const;

  // The nearest of all queries by a copy of all rows; nothing where that serves not.
  std::optional<Neighbors> nearest_by_copy(const MatrixView<float>& queries, std::uint64_t k, Metric metric,
                                           const SearchOptions& with, index::LiveFilter& filter);
  // Has all rows, block by block, become that copy. Returns whether there is room.
  bool pack_copy(Metric metric, const Progress& progress);
  // A search, begun anew where memory ends and something gives its own back.
  template <typename Search>
  auto with_less(const Search& search) {
    for (;;) try {
        return search();
      } catch (const Error& error) {
        if (error.code() != ErrorCode::out_of_memory || !give_memory_back()) throw;
      }
  }
  // The plans of smaller parts, then the copy of all rows. Returns whether there was any.
  bool give_memory_back();
  // The nearest of all queries: of one block that has all rows, merged by the device, or by the host as they come.
  Neighbors nearest_in_one(const MatrixView<float>& queries, std::uint64_t k, Metric metric, const SearchOptions& with,
                           index::LiveFilter& filter);
  Neighbors nearest_on_device(const MatrixView<float>& queries, std::uint64_t k, Metric metric,
                              const SearchOptions& with, index::LiveFilter& filter);
  Neighbors nearest_by_host(const MatrixView<float>& queries, std::uint64_t k, Metric metric, const SearchOptions& with,
                            index::LiveFilter& filter, const sharding::ReadRows& read);
  // Of queries and answers, which pass for each block where the host merges. @param k  0: answers come by themselves
  std::uint64_t host_bytes_of(std::uint64_t queries, std::uint64_t k) const;
  // Whether the device may merge the answers of blocks.
  bool may_keep(std::uint64_t queries, std::uint64_t k, bool continued) const;
  // Has the device keep the answers of a search. Returns whether it can.
  bool keep(std::uint64_t queries, std::uint64_t k);
  // Searches the block that is on the device, which is that index. (the index, numbers of its rows, told of its queries)
  using SearchBlock = std::function<void(Resident& on, const sharding::RowNumbers& numbers, const Progress& progress)>;
  // @param host_bytes  of queries and answers that pass for each block
  // @param prepare     what the searches need, done while the first block is loaded; may be empty
  void each_block(Metric metric, std::uint64_t host_bytes, const Progress& progress, SearchReport& report,
                  const SearchBlock& search, const std::function<void()>& prepare = {});
  // See index::block_parts().
  std::vector<index::RowPart> parts(std::uint64_t host_bytes, std::optional<index::SmallParts> small = {}) const;
  // As parts(), the one that the latest search left behind first where rows need not be loaded, and with smaller ones where
  // these serve.
  std::vector<index::RowPart> parts_in_turn(std::uint64_t host_bytes) const;
  // The index that a part becomes the rows of. @param usual  rows of a part that is not a smaller one
  Resident& resident_of(const index::RowPart& part, std::uint64_t usual);
  // Has what has been loaded become the rows of an index, unless they are, before what is submitted next.
  void bring(Resident& to, const index::RowPart& part, Metric metric);
  // What the implementation's does, and false where memory ends: planning anew may need less.
  static bool follow(Implementation& inside, Metric metric);
  // Waits for the device, and adds what it took to bring rows.
  void end_bringing(const Resident& to, SearchTimes& times);

  Device& device_;
  std::uint64_t rows_;
  std::uint64_t block_rows_;
  std::unique_ptr<index::BlockSource> source_;
  Resident resident_;                         // the rows of the block that is searched
  Implementation& inside_;                    // of it
  std::optional<Resident> small_;             // the same of smaller ones, in memory of those
  Asked asked_;                               // by the latest search
  bool small_asked_ = false;                  // whether that has needed them
  bool waits_for_rows_ = true;                // whether the link is what the latest search of that kind is bound by
  std::unique_ptr<index::KeptAnswers> kept_;  // of the latest search that the device merged
  std::optional<index::RowPart> brought_;     // the rows of the resident index, of a source that keeps its rows
  std::unique_ptr<index::WholeCopy> copy_;    // of integers, or of codes of rows that are loaded; or null
  bool no_room_for_small_ = false;            // for good
  bool no_room_for_two_plans_ = false;        // with a sample and without, for searches that take turns
  bool unloads_ = false;                      // whether rows are on their way there
  std::unique_ptr<Commands> unloading_;       // it goes first
};

}  // namespace proxel
