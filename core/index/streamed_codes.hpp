#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "index/host_rows.hpp"
#include "index/whole_copy.hpp"
#include "search/over_queries.hpp"

namespace proxel::index {

/// All rows of an index that stay in host memory, as 8-bit codes on the device. Few queries are searched in those at the device's speed,
/// and the host evaluates the rows that they leave, so that no row crosses the link. Not for metrics that normalise rows.
class StreamedCodes final : public WholeCopy {
 public:
  /// @param rows  outlive the result
  /// @param room  device memory that codes may take, bytes
  StreamedCodes(Device& device, const HostRows& rows, const IndexOptions& options, std::uint64_t room);

  /// Where the choice is free, searches that would be served are counted, and the first of them is not: rows that are searched once are not
  /// worth encoding.
  bool serves(SearchDescription& wanted, const MatrixView<float>& queries) override;
  void begin_packing(Metric metric) override;
  void end_packing(Metric metric) override;

  /// What the copy takes, bytes, where one would be made of such rows at all; otherwise 0.
  static std::uint64_t bytes(const Device& device, const MatrixView<float>& rows, const IndexOptions& options);

 private:
  Answer search_copy(const std::vector<ScreenedRows>& parts, const MatrixView<float>& queries,
                     const SearchDescription& wanted, LiveFilter& filter, const Progress& progress) override;

  const HostRows& host_;
  std::uint64_t scratch_limit_;
  std::map<Metric, std::vector<float>> row_bounds_;  // of the codes, by what is accumulated
  std::map<Metric, std::uint64_t> asked_;            // searches that codes would have served
  search::KeptThreads threads_;
};

}  // namespace proxel::index
