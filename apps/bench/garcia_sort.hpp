#pragma once

#include "bench/select_matrix.hpp"

namespace proxel::tool {

/// The selection that Komarov 2013 compares with: the modified insertion sort of Garcia 2010, one invocation per query
/// walking down its column of a matrix of uniform values in device memory.
class GarciaSort {
 public:
  /// @param queries, columns  as of a SelectMatrix, whose rows are columns here: [columns x queries]
  GarciaSort(Device& device, std::uint64_t queries, std::uint64_t columns, std::uint64_t seed);

  /// Device time of all queries, the k nearest of some of them checked on the host.
  SelectMatrix::Measured measure(std::uint64_t k, const Patience& patience);

 private:
  std::optional<std::string> difference(std::uint64_t k, Buffer& indices) const;
  std::uint32_t key(std::uint64_t column, std::uint64_t query) const {
    return block_[column % block_columns_ * queries_ + query];
  }

  Device& device_;
  std::uint64_t queries_, columns_, block_columns_;
  std::vector<std::uint32_t> block_;  // on the host, repeated on the device
  std::unique_ptr<Buffer> keys_;
};

}  // namespace proxel::tool
