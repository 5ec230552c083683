#pragma once

// Layouts of a k-NN graph in the plane or in space, where its neighbours lie: maps of high-dimensional data that follow
// a graph which changes.

#include <cstdint>
#include <optional>

#include "proxel/device.hpp"
#include "proxel/export.h"
#include "proxel/index.hpp"
#include "proxel/matrix.hpp"
#include "proxel/neighbors.hpp"
#include "proxel/plan.hpp"
#include "proxel/planned_for.hpp"

PROXEL_PUBLIC_BEGIN
namespace proxel {

/// Describes the steps of a layout.
struct LayoutDescription {
  std::uint64_t rows = 0;        ///< vertices of the graph, 1…2^31
  std::uint64_t neighbors = 0;   ///< of each, 1…2^32-1
  std::uint32_t dimensions = 2;  ///< of a position, 1…3
  std::uint32_t draws = 32;      ///< vertices drawn at random that each is pushed away from, 0…65,536
  float repulsion = 1;           ///< strength of a push, 0…1,000

  bool operator==(const LayoutDescription&) const = default;
};

/// The caller's buffers, each 4-byte aligned.
struct LayoutBuffers {
  /// Read: 32-bit [rows x neighbors], as a search leaves them; what is not below `rows`, as padding is, exerts no force,
  /// and neither does a row itself.
  BufferView indices;
  /// Read: binary32 [rows x dimensions]: positions as first_positions() or the step before made them, multiples of 2^-12
  /// between -1,000 and 1,000. Others give the same bits everywhere only where no difference of two is subnormal.
  BufferView from;
  BufferView to;  ///< written: the same, of the next step; no part of `from`
};

/// What LayoutBuffers have to be.
struct LayoutRequirements {
  BufferRequirement indices, from, to;

  bool operator==(const LayoutRequirements&) const = default;
};

/// One step of a layout: every vertex is drawn towards its neighbours and pushed away from some that are drawn at
/// random, with the forces of UMAP's Student kernel (McInnes, Healy, Melville 2018, with a = b = 1), all of them at
/// once, so that every device has the same positions to the bit. Recorded any number of times, behind the search whose
/// neighbours it reads, the two buffers of positions in turns: a graph that changes moves its layout along.
class LayoutPlan {
 public:
  /// Throws Error(invalid_argument | unsupported) naming the field at fault.
  static LayoutPlan make(Device& device, const LayoutDescription& description);

  /// Whether there is none: default-constructed, or moved from. Every use of an empty plan throws Error(invalid_argument).
  bool empty() const { return device_.empty(); }
  const LayoutDescription& description() const { return description_; }
  LayoutRequirements requirements() const;

  /// Writes the step down. Barriers before and after it are the caller's. Throws Error(invalid_argument), before
  /// anything is written, for buffers that are not what is required.
  /// @param step  seeds the draws: another one each time
  /// @param rate  how far forces move a vertex, 0…100; 0.2, falling to 0 over some hundred steps, settles; 0.05 keeps up
  ///              with a graph that changes
  void record(Recording& recording, const LayoutBuffers& buffers, std::uint32_t step, float rate) const;

 private:
  PlannedFor device_;
  LayoutDescription description_;
};

/// Positions to begin with, drawn evenly between -10 and 10: the same with every standard library.
/// @return [rows x dimensions]
Matrix<float> first_positions(std::uint64_t rows, std::uint32_t dimensions, std::uint64_t seed);

/// Positions of the caller's to begin with, as a step reads them: times `scale`, on the grid.
/// @param positions  [rows x any], of which the first `dimensions` count; what there are fewer of is 0
Matrix<float> first_positions(MatrixView<float> positions, std::uint32_t dimensions, float scale = 1);

struct LayoutOptions {
  std::uint32_t dimensions = 2;  ///< as in LayoutDescription, and so are the next two
  std::uint32_t draws = 32;
  float repulsion = 1;
  std::uint32_t steps = 300;  ///< 0…1,000,000
  float rate = 0.2f;          ///< of the first step; it falls evenly to 0
  std::uint64_t seed = 1;     ///< of the first positions and the draws
  /// [rows x dimensions]: positions to begin with instead. Read during the call.
  MatrixView<float> first = {};
  Progress progress = {};  ///< told of steps; what it throws ends the work. May be empty
};

struct Layout {
  Matrix<float> positions;  ///< [rows x dimensions]
  double milliseconds = 0;  ///< of the device, where it has timestamps
};

/// The layout of a graph in host memory, found on a device. Throws as LayoutPlan::make() does, and
/// Error(out_of_memory | device_lost).
Layout layout_graph(Device& device, const Neighbors& graph, const LayoutOptions& options = {});

}  // namespace proxel
PROXEL_PUBLIC_END
