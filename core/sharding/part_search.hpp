#pragma once

// A search of all rows, made of one part of them.

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "index/part_of_more.hpp"
#include "proxel/index.hpp"
#include "sharding/answers.hpp"
#include "sharding/page.hpp"
#include "sharding/part.hpp"
#include "sharding/row_numbers.hpp"

namespace proxel::sharding {

/// Throws Error(unsupported) for what the answers of parts do not make up.
void check_divisible(const SearchOptions& options);

/// The options of a search of all rows as those of a search of one part, but for the page before. Its answers are left in
/// order (SearchOptions::ordered).
class PartOptions {
 public:
  PartOptions(const RowNumbers& numbers, const SearchOptions& of_all, const Progress& progress);
  PartOptions(const PartOptions&) = delete;
  PartOptions& operator=(const PartOptions&) = delete;

  /// Valid as long as this.
  const SearchOptions& options() const { return options_; }

 private:
  Matrix<std::uint32_t> filter_;
  std::vector<std::uint32_t> selves_;
  SearchOptions options_;
};

/// The nearest among the rows of a part, left in order (SearchOptions::ordered) and by the numbers of all rows.
/// @param with    of all rows; of it `after` is not looked at
/// @param behind  where each query's search continues; null: from the nearest on
Neighbors search_part(Index& part, const RowNumbers& numbers, const MatrixView<float>& queries, std::uint64_t k,
                      Metric metric, const SearchOptions& with, const Keys* behind, const Progress& progress);

/// The same, by the numbers of the part's rows, handed on as it is found. @param take  see index::PartOfMore
SearchReport search_part(Index& part, const RowNumbers& numbers, const MatrixView<float>& queries, std::uint64_t k,
                         Metric metric, const SearchOptions& with, const Keys* behind, const Progress& progress,
                         const index::TakeAnswers& take);

/// The same within a radius, by the numbers of all rows.
RangeNeighbors range_search_part(Index& part, const RowNumbers& numbers, const MatrixView<float>& queries, float radius,
                                 Metric metric, const SearchOptions& with, const Progress& progress);

/// Rows that are queries to their own index, block by block through the host.
/// @param read    reads rows
/// @param search  answers a block of them
using SearchBlock =
    std::function<Neighbors(const MatrixView<float>& queries, const SearchOptions& with, bool last_block)>;
Neighbors search_own_rows(std::uint64_t first_row, std::uint64_t count, std::uint64_t k, std::uint32_t dimensions,
                          const SearchOptions& with, const ReadRows& read, const SearchBlock& search);

/// Options for some of the queries, but for the page before.
SearchOptions options_of(Part queries, const SearchOptions& with, const Progress& progress);
/// The page before of some of the queries.
Neighbors slice(const Neighbors& page, std::uint64_t first, std::uint64_t count);

}  // namespace proxel::sharding
