#pragma once

#include <memory>

#include "proxel/search.hpp"

namespace proxel::c_api {

/// A search of rows that the caller brings when it is recorded.
class RowsPlan {
 public:
  virtual ~RowsPlan() = default;
  virtual std::uint64_t scratch_bytes() const = 0;

  /// Writes the search of the rows in that memory down. Throws Error(invalid_argument) for buffers that
  /// are not what is required.
  void record(Recording& recording, const BufferView& rows, const SearchBuffers& buffers) const;
  SearchRequirements requirements() const { return requirements_of(description_, scratch_bytes()); }
  BufferRequirement rows_requirement() const;

 protected:
  RowsPlan(const SearchDescription& description, std::uint32_t row_stride)
      : description_(description), row_stride_(row_stride) {}
  /// Where the rows lie, of an address that may still be unknown.
  passes::Rows rows_at(std::uint64_t address) const {
    return row_major_rows(address, description_.rows, row_stride_);
  }

 private:
  virtual void write(Recording& recording, const BufferView& rows, const SearchBuffers& buffers) const = 0;

  SearchDescription description_;
  std::uint32_t row_stride_;
};

/// Throws Error(unsupported) for metrics whose rows an index normalises.
void refuse_normalized(Metric metric);

// Throw Error(invalid_argument | unsupported | out_of_memory) naming the field at fault.
std::unique_ptr<RowsPlan> plan_scan(Device& device, const SearchDescription& description,
                                    std::uint32_t row_stride);
/// Makes the hierarchy anew at every execution.
std::unique_ptr<RowsPlan> plan_bvh(Device& device, const SearchDescription& description,
                                   std::uint32_t row_stride);

}  // namespace proxel::c_api
