#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bench/peers/sort_peer.hpp"
#include "bench/timing.hpp"
#include "proxel/selection.hpp"

namespace proxel::tool {

/// Uniform values in device memory, [rows x columns], in several equal copies so
/// that no cache holds what is read. Large matrices repeat a block of rows.
class SelectMatrix {
 public:
  SelectMatrix(Device& device, std::uint64_t rows, std::uint64_t columns, std::uint64_t seed);

  std::uint64_t rows() const { return rows_; }
  std::uint64_t columns() const { return columns_; }
  std::uint64_t bytes() const { return rows_ * columns_ * 4; }

  /// Device time of a selection, with its results checked against the oracle.
  struct Measured {
    Timed timed;
    SelectionMethod method = SelectionMethod::automatic;  ///< the one that was chosen
    std::optional<std::string> difference;                ///< where an answer is not the oracle's
  };
  Measured measure(const SelectionDescription& description, const Patience& patience);
  /// The same of another library's sort of all rows.
  Measured measure(SortPeer& peer, const Patience& patience);

  /// std::nth_element and a sort of the k first, one row after the other on one
  /// core of the host; milliseconds for all rows, from as many as fit the time.
  Timed nth_element(std::uint64_t k, const Patience& patience) const;
  /// The same of std::sort, of pairs of value and column.
  Timed sort_on_host(const Patience& patience) const;

 private:
  /// @param fetch  reads the columns and values that were found for a row
  std::optional<std::string> difference(std::uint64_t k, bool largest_first,
                                        const std::function<void(std::uint64_t, std::uint32_t*, float*)>& fetch) const;
  /// @param prepare  of a row of the host, not counted
  /// @param work     counted; what it returns depends on all of its work
  Timed repeat_rows(const Patience& patience, const std::function<void(const float*)>& prepare,
                    const std::function<float()>& work) const;
  const float* host_row(std::uint64_t row) const { return block_.data() + row % block_rows_ * columns_; }

  Device& device_;
  std::uint64_t rows_;
  std::uint64_t columns_;
  std::uint64_t block_rows_;
  std::vector<float> block_;  // on the host
  std::vector<std::unique_ptr<Buffer>> copies_;
};

}  // namespace proxel::tool
