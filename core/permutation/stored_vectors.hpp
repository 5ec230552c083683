#pragma once

#include <memory>
#include <span>
#include <vector>

#include "index/storage.hpp"
#include "permutation/stored_positions.hpp"
#include "proxel/index.hpp"
#include "proxel/permutation.hpp"

namespace proxel::permutation {

/// Rows in device memory as a metric accumulates them (normalised for cosine and pearson),
/// one after the other, because a search reads rows here and there; in as many buffers as
/// the device's largest allocation asks for.
class StoredVectors : public index::RowTarget {
 public:
  /// Uploads the rows. Throws Error(unsupported | out_of_memory).
  StoredVectors(Device& device, const MatrixView<float>& rows, Metric metric, const Progress& progress);

  Metric metric() const { return metric_; }
  std::uint64_t rows() const { return rows_; }
  std::uint32_t dimensions() const { return dimensions_; }
  std::span<const RowsSegment> segments() const { return segments_; }
  /// Records a copy of one row, binary32 [dimensions].
  void record_copy(Recording& recording, std::uint32_t row, const BufferView& to) const;

  std::uint64_t pack_end(std::uint64_t first) const override;
  void record_pack(Recording& recording, const BufferView& source, std::uint64_t first,
                   std::uint32_t count) const override;

 private:
  /// Rows in place, which all lie in one buffer.
  BufferView part(std::uint64_t first, std::uint64_t count) const;

  Metric metric_;
  std::uint64_t rows_;
  std::uint32_t dimensions_;
  std::uint64_t buffer_rows_ = 0;  // of every buffer but the last
  std::vector<std::unique_ptr<Buffer>> buffers_;
  std::vector<RowsSegment> segments_;
};

/// Vectors with their permutations, in device memory.
struct StoredVectorPermutations {
  StoredVectors vectors;
  std::unique_ptr<Buffer> permutants;  // binary32 [permutants x dimensions], as the vectors
  StoredPositions permutations;

  /// @param chosen         rows that are the permutants, 1…256
  StoredVectorPermutations(Device& device, const MatrixView<float>& rows, Metric metric,
                           const std::vector<std::uint32_t>& chosen, const PermutationOptions& options,
                           const Progress& progress);
};

}  // namespace proxel::permutation
