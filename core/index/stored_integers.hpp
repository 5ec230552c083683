#pragma once

#include <memory>
#include <vector>

#include "index/kept_answers.hpp"
#include "index/whole_copy.hpp"
#include "session/memory_pool.hpp"

namespace proxel::index {

/// All rows of an index that are stored as integers of a byte, as `fused` multiplies them. Distances are computed from that
/// copy itself, so that neither rows in float32 nor blocks are needed. Of very many rows each part has as many as all
/// before it, so that the distances that those have given say how far to look, and no sample of them is needed.
class StoredIntegers final : public WholeCopy {
 public:
  /// Rows of the first of several parts.
  static constexpr std::uint64_t usual_first_part = std::uint64_t{1} << 24;

  /// @param first_part  a multiple of 128; up to twice as many rows are one part
  StoredIntegers(Device& device, std::uint64_t rows, std::uint32_t dimensions, const IndexOptions& options,
                 std::uint64_t first_part = usual_first_part);

  bool serves(SearchDescription& wanted, const MatrixView<float>& queries) override;
  bool let_go() override;

 private:
  Answer search_copy(const std::vector<ScreenedRows>& parts, const MatrixView<float>& queries,
                     const SearchDescription& wanted, LiveFilter& filter, const Progress& progress) override;
  bool serves(const SearchDescription& wanted, QueryValues values) const;

  // The queries of a search of several parts that are there at once, and what part after part adds to their answers.
  struct Kept;
  bool search_part(Kept& kept, std::size_t number, bool unsampled);
  Answer search_parts(const std::vector<ScreenedRows>& parts, const MatrixView<float>& queries,
                      const SearchDescription& wanted, LiveFilter& filter, const Progress& progress);
  // Whether what is undecided may be so because thresholds were estimates, which they are no more.
  bool becomes_cautious();
  session::Call<Shape> call_of(const Shape& shape, std::uint64_t queries, Encode encode) const;

  std::uint64_t scratch_limit_;
  std::shared_ptr<session::MemoryPool> told_;  // of all its plans
  bool cautious_ = false;                      // SearchDescription::cautious of all searches
  std::unique_ptr<KeptAnswers> kept_;
};

}  // namespace proxel::index
