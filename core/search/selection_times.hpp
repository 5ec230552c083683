#pragma once

// What methods of selection are expected to take, milliseconds on an H200 (docs/lab/selection.md): what `automatic` compares.

#include "search/selection_algorithm.hpp"

namespace proxel::search {

/// What times depend on.
struct SelectingDevice {
  std::uint32_t multiprocessors;
  BackendKind backend;
  SelectingDevice(const Device& device);
  SelectingDevice(std::uint32_t multiprocessors_of, BackendKind backend_of)
      : multiprocessors(multiprocessors_of), backend(backend_of) {}
};

/// Values of each row that streaming selects, as a rule.
inline constexpr std::uint64_t most_streamed = 2048;
/// Whether rows are few and long enough for several workgroups to share each.
bool worth_sharing(const SelectingDevice& device, const SelectionDescription& description);

/// Fours of a row that sample_bound samples at most, and keys of the sample for each part of the row.
inline constexpr std::uint64_t most_sampled_fours = 4096;
inline constexpr std::uint64_t sampled_of_part = 24;
/// Parts of a row that is shared, so that few rows keep all multiprocessors busy putting keys in order, and lists are short.
std::uint64_t sample_parts(const SelectingDevice& device, const SelectionDescription& description);

double streaming_milliseconds(const SelectionDescription& description);
double threshold_milliseconds(const SelectingDevice& device, const SelectionDescription& description);
double radix_milliseconds(const SelectionDescription& description);
/// sample_select, where workgroups of three passes share rows, and where each row has a workgroup to itself.
double sample_milliseconds_shared(const SelectingDevice& device, const SelectionDescription& description);
double sample_milliseconds_alone(const SelectingDevice& device, const SelectionDescription& description);

/// The least of what methods that `automatic` takes are expected to take. k is at most the columns.
double selection_milliseconds(const SelectingDevice& device, const SelectionDescription& description);

}  // namespace proxel::search
