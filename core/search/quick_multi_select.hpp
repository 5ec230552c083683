#pragma once

#include "proxel/device.hpp"
#include "proxel/passes/quick_multi_select_subgroup.h"

namespace proxel::search {

/// Komarov 2013's selection over the rows of a matrix, sized for a device.
class QuickMultiSelect {
 public:
  struct Shape {
    bool by_subgroup = false;  ///< a subgroup for each row, or a workgroup
    std::uint64_t rows = 1;
    std::uint64_t columns = 1;
    std::uint64_t k = 1;
  };

  static Support supports(const Device& device, const Shape& shape);

  QuickMultiSelect() = default;
  /// @param scratch_limit  bytes; fewer rows are worked on at once where it is
  ///                       short, but one workgroup's always are
  QuickMultiSelect(const Device& device, const Shape& shape, std::uint64_t scratch_limit);

  /// Auxiliary memory for record(), bytes; may be 0.
  std::uint64_t scratch_bytes() const { return scratch_bytes_; }
  /// Records the selection, in several passes where the device asks for that.
  /// @param parameters  rows, columns and k at most those of the shape
  void record(Recording& recording, const passes::QuickMultiSelectParameters& parameters) const;

 private:
  Pass make_pass(const passes::QuickMultiSelectParameters& parameters) const;

  bool by_subgroup_ = false;
  std::uint32_t subgroup_size_ = 1;
  std::uint32_t threads_ = 1;  // of a workgroup
  std::uint32_t groups_ = 1;
  std::uint64_t rows_per_pass_ = 1;
  std::uint64_t scratch_bytes_ = 0;
};

}  // namespace proxel::search
