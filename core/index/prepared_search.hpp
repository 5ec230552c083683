#pragma once

#include <memory>

#include "index/searcher.hpp"

namespace proxel::index {

/// A search of one shape with its buffers and its recorded commands, submitted
/// once per block of queries. Outlived by the searcher that planned it.
class PreparedSearch {
 public:
  /// Where the queries of a block come from.
  enum class Source {
    host,  ///< values that the host copies
    rows,  ///< rows of the index itself
  };

  PreparedSearch(const Storage& storage, Searcher& searcher, const SearchDescription& description,
                 Source source, Timing timing);

  const SearchDescription& description() const { return description_; }
  Source source() const { return source_; }

  /// What the next runs are narrowed by, where the description says so: a filter
  /// for all queries or one per query, and one pair per query to continue behind.
  void set_filter(const MatrixView<std::uint32_t>& words);
  void set_after(const MatrixView<std::uint32_t>& indices, const MatrixView<float>& distances);

  /// Searches one block: description().queries queries. Adds to the times.
  void run(const MatrixView<float>& queries, std::uint32_t* indices, float* distances,
           SearchTimes& times);
  /// The same with rows first_row … of the index as queries.
  void run(std::uint64_t first_row, std::uint32_t* indices, float* distances, SearchTimes& times);

 private:
  void submit_and_read(std::uint32_t* indices, float* distances, SearchTimes& times);

  const Storage& storage_;
  SearchDescription description_;
  Source source_;
  bool timed_;
  std::unique_ptr<PlannedSearch> plan_;
  std::unique_ptr<Buffer> incoming_, queries_, scratch_, indices_, distances_;
  std::unique_ptr<Buffer> incoming_filter_, filter_, after_indices_, after_distances_;
  std::unique_ptr<Commands> gather_;  // rows become queries; recorded anew for every block
  std::unique_ptr<Commands> commands_;
};

}  // namespace proxel::index
