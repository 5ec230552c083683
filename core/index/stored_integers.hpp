#pragma once

#include "index/whole_copy.hpp"
#include "session/session.hpp"

namespace proxel::index {

/// All rows of an index that are stored as integers of a byte, as `fused` multiplies them. Distances are computed from that
/// copy itself, so that neither rows in float32 nor blocks are needed.
class StoredIntegers final : public WholeCopy {
 public:
  StoredIntegers(Device& device, std::uint64_t rows, std::uint32_t dimensions, const IndexOptions& options);

  bool serves(SearchDescription& wanted, const MatrixView<float>& queries) override;

 private:
  struct Shape {
    SearchDescription nearest;
    bool serves(const Shape& wanted) const { return nearest == wanted.nearest; }
  };

  Answer search_copy(const ScreenedRows& rows, const MatrixView<float>& queries, const SearchDescription& wanted,
                     LiveFilter& filter, const Progress& progress) override;
  void forget_searches() override { session_.forget(); }
  bool serves(const SearchDescription& wanted, QueryValues values) const;

  Method method_;
  session::Pace pace_;
  session::Session<Shape> session_;
};

}  // namespace proxel::index
