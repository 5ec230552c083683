#pragma once

// Connected components of a k-NN graph, where its neighbours lie: clusters, without a copy to the host.

#include <cstdint>
#include <optional>
#include <vector>

#include "proxel/device.hpp"
#include "proxel/export.h"
#include "proxel/metric.hpp"
#include "proxel/neighbors.hpp"
#include "proxel/plan.hpp"
#include "proxel/planned_for.hpp"

PROXEL_PUBLIC_BEGIN
namespace proxel {

/// Which of a graph's edges join the rows at their ends. An edge has no direction.
struct ComponentsOptions {
  /// Only edges at most so long; with ip, whose neighbours are the most similar, at least so similar. NaN is neither.
  /// None: edges of any length, those of NaN among them. The components are then the clusters that single linkage finds
  /// when it is cut there, as far as the graph has the edges.
  std::optional<float> limit;
  Metric metric = Metric::l2sq;  ///< of the distances, where there is a limit
  /// Only edges between rows that are neighbours of each other: a row that lies far from all others joins nobody.
  bool mutual = false;

  bool operator==(const ComponentsOptions&) const = default;
};

struct ComponentsDescription {
  std::uint64_t rows = 0;       ///< of the graph, 1…2^31
  std::uint64_t neighbors = 0;  ///< of each row, 1…2^32-1
  ComponentsOptions options = {};

  bool operator==(const ComponentsDescription&) const = default;
};

/// The caller's buffers, each 4-byte aligned.
struct ComponentsBuffers {
  /// Read: 32-bit [rows x neighbors], as a search leaves them; what is not below `rows`, as padding is, is no edge, and
  /// neither is a row itself.
  BufferView indices;
  BufferView distances;   ///< read where there is a limit: binary32, as many
  BufferView components;  ///< written: 32-bit [rows], the smallest row of the row's component
  BufferView count;       ///< written: 32-bit, how many components there are
};

/// What ComponentsBuffers have to be.
struct ComponentsRequirements {
  BufferRequirement indices;
  BufferRequirement distances;  ///< of 0 bytes without a limit
  BufferRequirement components;
  BufferRequirement count;

  bool operator==(const ComponentsRequirements&) const = default;
};

/// Joins the rows of a k-NN graph in three passes, whatever the graph: Jaiganesh and Burtscher 2018, ECL-CC, whose roots
/// are here the smallest rows, so that every device has the same answer. Recorded any number of times, behind the search
/// whose neighbours it reads.
class ComponentsPlan {
 public:
  /// Throws Error(invalid_argument | unsupported) naming the field at fault.
  static ComponentsPlan make(Device& device, const ComponentsDescription& description);

  /// Whether there is none: default-constructed, or moved from. Every use of an empty plan throws Error(invalid_argument).
  bool empty() const { return device_.empty(); }
  const ComponentsDescription& description() const { return description_; }
  ComponentsRequirements requirements() const;

  /// Writes the passes down. Barriers before and after them are the caller's. Throws Error(invalid_argument), before
  /// anything is written, for buffers that are not what is required.
  void record(Recording& recording, const ComponentsBuffers& buffers) const;

 private:
  PlannedFor device_;
  ComponentsDescription description_;
};

/// The components of a graph.
struct Components {
  std::vector<std::uint32_t> of_rows;  ///< the smallest row of each row's component
  std::uint64_t count = 0;
  double milliseconds = 0;  ///< of the device, where it has timestamps
};

/// The components of a graph in host memory, found on a device. Throws as ComponentsPlan::make() does, and
/// Error(out_of_memory).
Components connected_components(Device& device, const Neighbors& graph, const ComponentsOptions& options = {});

}  // namespace proxel
PROXEL_PUBLIC_END
