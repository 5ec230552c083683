#pragma once

// The k smallest (or largest) values of each row of a matrix in device memory,
// as a plan that is recorded into any Recording.

#include <cstdint>
#include <memory>
#include <string_view>

#include "proxel/device.hpp"
#include "proxel/export.h"
#include "proxel/planned_for.hpp"

PROXEL_PUBLIC_BEGIN
namespace proxel {

/// How rows are selected from. All give the same answer to the bit.
enum class SelectionMethod {
  automatic,  ///< the fastest of streaming, threshold, sample_select and radix_sort for the shape
  /// One workgroup per row reads it once; a threshold taken from what it has
  /// seen keeps all but a few values out of shared memory.
  streaming,
  /// Several workgroups per row find the minima of many groups of columns; only
  /// groups whose minimum is among the k smallest minima are read again.
  threshold,
  /// Radix selection and a stable radix sort; for any k up to the row's length.
  radix_sort,
  /// Komarov 2013, section 3: quick multi-select, one subgroup per row.
  quick_multi_select_subgroup,
  /// Komarov 2013, section 3: quick multi-select, one workgroup per row.
  quick_multi_select_workgroup,
  /// Lopresti 2013, section 4.2: GPU-Qsort. Workgroups sort parts of a row by
  /// iterative quicksort; rounds of merging pairs of them follow.
  quick_sort,
  /// Alabi et al. 2012, radixSelect: the k-th value by eight bits at a time, then all up to it; sorted by radix.
  radix_select,
  /// Alabi et al. 2012, bucketSelect: the k-th value by 1,024 buckets of equal width at a time, then as radix_select.
  bucket_select,
  /// Sismanis et al. 2012: lists of k sorted by Batcher's network, merged pair by pair and cut to k; k up to 512.
  truncated_bitonic_sort,
  /// What is not beyond a value that is found in a sample of the row is listed, after Monroe et al. 2011, and put in order: by a
  /// workgroup for each row, or, of few rows, by several for the parts of a sample sort; k up to the row's length.
  sample_select,
};
inline constexpr SelectionMethod last_selection_method = SelectionMethod::sample_select;

/// "auto", "streaming", "threshold", "radix-sort", "quick-subgroup", "quick-workgroup", "quick-sort", "radix-select",
/// "bucket-select", "bitonic-sort", "sample-select".
std::string_view to_string(SelectionMethod method);

struct SelectionDescription {
  std::uint64_t rows = 1;        ///< 1…2^32-2
  std::uint64_t columns = 0;     ///< values per row, 1…2^32-2
  std::uint64_t row_stride = 0;  ///< values from one row to the next, up to 2^32-1; 0 means `columns`
  std::uint64_t k = 1;           ///< values to select per row, 1…2^32-2; slots past `columns` are padded
  bool largest_first = false;    ///< select the k largest instead of the k smallest
  /// Whether each row comes back ordered by (value, column). Otherwise its k
  /// results come in an order that may change from run to run.
  bool sorted = true;
  bool has_payload = false;                                ///< return payload in place of column indices
  std::uint64_t scratch_limit = std::uint64_t{256} << 20;  ///< bytes, at least 1 MiB
  SelectionMethod method = SelectionMethod::automatic;
};

/// The caller's buffers of one selection.
struct SelectionBuffers {
  BufferView values;    ///< read: binary32 [rows x columns], rows row_stride apart, 4-byte aligned
  BufferView payload;   ///< read where has_payload: 32-bit [rows x columns], laid out as the values
  BufferView scratch;   ///< clobbered: at least scratch_bytes(), 256-byte aligned; unused where that is 0
  BufferView indices;   ///< written: 32-bit [rows x k], column indices or payload; no_neighbor in padded slots
  BufferView selected;  ///< written: binary32 [rows x k], the values; +infinity (-infinity for
                        ///< largest_first) in padded slots
};

/// Selection in the total order (value, column): NaN after everything else in
/// either direction, -0 equal to +0, equal values by lower column. Values come
/// back as they are, but every NaN as 0x7FC00000 and -0 as +0.
class SelectionPlan {
 public:
  /// Whether a device can serve this description with its method.
  /// Throws Error(invalid_argument) where the description itself is not valid.
  static Support supports(Device& device, const SelectionDescription& description);

  /// Throws Error(invalid_argument | unsupported) naming the field at fault.
  static SelectionPlan make(Device& device, const SelectionDescription& description);

  /// Whether there is none: default-constructed, or moved from. Every use of an empty plan throws Error(invalid_argument).
  bool empty() const { return algorithm_.empty(); }

  /// The method in use: never automatic.
  SelectionMethod method() const;

  /// Scratch that record() needs: within description.scratch_limit, which is
  /// kept by working on blocks of rows, unless one row alone needs more.
  std::uint64_t scratch_bytes() const;

  /// Records the selection. Work recorded before must be made visible by a
  /// barrier of the caller; so must the results to what follows. What it is given is checked before
  /// anything is recorded, as plans of proxel/search.hpp do.
  void record(Recording& recording, const SelectionBuffers& buffers) const;

  /// How one method works; defined where the methods are.
  class PROXEL_HIDDEN Algorithm;

 private:
  const Device* device_ = nullptr;
  Planned<Algorithm> algorithm_;
};

}  // namespace proxel
PROXEL_PUBLIC_END
