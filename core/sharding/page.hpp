#pragma once

// Where a search of the whole index continues, and where that of one device does.

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "proxel/index.hpp"
#include "sharding/row_numbers.hpp"

namespace proxel::sharding {

/// A place behind which each query's search continues, as keys: by what the metric accumulates, then by the row's
/// number (SearchAfter).
using Keys = std::vector<std::uint64_t>;

/// The rows of these numbers, [numbers x dimensions].
using ReadRows = std::function<Matrix<float>(std::span<const std::uint32_t> numbers)>;

/// The keys of the page before, whose distances may be finished ones.
/// @param rows  of the whole index
Keys keys_behind(const SearchOptions& options, const MatrixView<float>& queries, Metric metric, std::uint64_t rows,
                 const ReadRows& read);

/// The same places among the rows of one device, as the page before of an ordered search. Those of `from_start`
/// have nothing before them.
struct LocalPage {
  Neighbors after;
  std::vector<bool> from_start;
};
LocalPage local_page(const Keys& keys, Metric metric, const RowNumbers& numbers);

}  // namespace proxel::sharding
