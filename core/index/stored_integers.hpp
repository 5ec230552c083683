#pragma once

#include "index/whole_copy.hpp"

namespace proxel::index {

/// All rows of an index that are stored as integers of a byte, as `fused` multiplies them. Distances are computed from that
/// copy itself, so that neither rows in float32 nor blocks are needed.
class StoredIntegers final : public WholeCopy {
 public:
  StoredIntegers(Device& device, std::uint64_t rows, std::uint32_t dimensions, const IndexOptions& options);

  bool serves(SearchDescription& wanted, const MatrixView<float>& queries) override;

 private:
  Answer search_copy(const ScreenedRows& rows, const MatrixView<float>& queries, const SearchDescription& wanted,
                     LiveFilter& filter, const Progress& progress) override;
  bool serves(const SearchDescription& wanted, QueryValues values) const;
};

}  // namespace proxel::index
