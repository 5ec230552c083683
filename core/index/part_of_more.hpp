#pragma once

#include <cstdint>
#include <functional>

#include "proxel/index.hpp"
#include "search/merge_rows.hpp"

namespace proxel::index {

/// Takes the answers of some queries, from the first on, out of memory that lasts as long as the call.
using TakeAnswers = std::function<void(const search::OrderedRows& found, std::uint64_t first)>;

/// An index of some of the rows that are searched together, or for some of the queries, whose answers become parts of one.
struct PartOfMore {
  /// A method that was asked for by name needs enough rows for k. Of a part of more rows it is asked whether all of them
  /// are enough, and where the part alone has too few the scan answers for it, to the same bits.
  /// @param rows  of all parts; to be told again when there is another number of them
  static void tell(Index& part, std::uint64_t rows);

  /// Index::search() and search_rows(), whose answers are taken block by block in place of being returned.
  static SearchReport search(Index& part, const MatrixView<float>& queries, std::uint64_t k, Metric metric,
                             const SearchOptions& with, const TakeAnswers& take);
  static SearchReport search_rows(Index& part, std::uint64_t first_row, std::uint64_t count, std::uint64_t k,
                                  Metric metric, const SearchOptions& with, const TakeAnswers& take);
};

}  // namespace proxel::index
