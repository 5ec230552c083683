#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "cpu/kernels.hpp"
#include "cpu/row_slices.hpp"
#include "passes/memory.hpp"

namespace proxel::cpu {

/// Distance keys of a block of queries to the rows of one tile.
class TileDistances {
 public:
  /// @param queries  [query_count x dimensions], query_stride elements apart
  TileDistances(const Kernels& kernels, Metric metric, const passes::Rows& rows, const float* queries,
                std::size_t query_stride, std::size_t query_count, std::uint32_t dimensions)
      : kernels_(kernels),
        metric_(metric),
        slices_(rows, query_count > 4),
        queries_(queries),
        query_stride_(query_stride),
        query_count_(query_count),
        dimensions_(dimensions),
        sums_(query_count * passes::tile_rows),
        keys_(passes::tile_rows) {}

  /// Computes the distances to rows first_row … first_row + count - 1, all of one tile.
  void compute(std::uint64_t first_row, std::uint32_t count) {
    count_ = count;
    for (std::uint32_t first = 0; first < dimensions_; first += RowSlices::most_dimensions) {
      const std::uint32_t dimensions = std::min(RowSlices::most_dimensions, dimensions_ - first);
      const RowSlice slice = slices_.get(first_row, count, first, dimensions);
      Accumulation accumulation;
      accumulation.metric = metric_;
      accumulation.rows = slice.values;
      accumulation.dimension_stride = slice.dimension_stride;
      accumulation.queries = queries_ + first;
      accumulation.query_stride = query_stride_;
      accumulation.sums = sums_.data();
      accumulation.sums_stride = passes::tile_rows;
      accumulation.row_count = count;
      accumulation.query_count = query_count_;
      accumulation.dimensions = dimensions;
      accumulation.from_zero = first == 0;
      kernels_.accumulate(accumulation);
    }
  }

  /// The accumulated values of one query to the rows computed last.
  const float* sums(std::size_t query) const { return sums_.data() + query * passes::tile_rows; }

  /// Writes the distance keys of one query to the rows computed last.
  void write_keys(std::size_t query, std::uint32_t* to) const {
    kernels_.distance_keys(sums_.data() + query * passes::tile_rows, count_, largest_first(metric_), to);
  }

  /// The same in memory of this object, valid until the next call.
  const std::uint32_t* keys(std::size_t query) {
    write_keys(query, keys_.data());
    return keys_.data();
  }

 private:
  const Kernels& kernels_;
  Metric metric_;
  RowSlices slices_;
  const float* queries_;
  std::size_t query_stride_;
  std::size_t query_count_;
  std::uint32_t dimensions_;
  std::uint32_t count_ = 0;
  std::vector<float> sums_;
  std::vector<std::uint32_t> keys_;
};

}  // namespace proxel::cpu
