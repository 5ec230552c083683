#pragma once

// What becomes of distances that a search has computed: the k nearest of each query, or
// all within a radius.

#include <cstdint>
#include <memory>
#include <optional>

#include "proxel/device.hpp"
#include "proxel/metric.hpp"
#include "proxel/selection.hpp"

namespace proxel::search {

struct AnswerDescription {
  std::uint64_t objects = 0;
  std::uint64_t stride = 0;  // distances from one query to the next
  std::uint32_t queries = 0;
  std::uint32_t chunk = 1;  // queries whose distances are there together
  std::uint64_t k = 1;
  std::optional<float> radius;  // instead of k
  /// Within a radius alone: what is there are not distances but distance keys (types.h) of
  /// what this metric accumulates.
  std::optional<Metric> keys_of;
  /// The distances are those of some objects of each query, whose numbers ascend or,
  /// within a radius, come in any order; `objects` are as many.
  bool listed = false;
  /// Numbers from one query to the next: `stride` unless within a radius, where it is 0 if
  /// all queries share them.
  std::uint64_t list_stride = 0;
  SelectionMethod selection = SelectionMethod::automatic;
  std::uint64_t scratch_limit = 0;
};

struct AnswerBuffers {
  BufferView scratch;    ///< clobbered: scratch_bytes()
  BufferView indices;    ///< written: 32-bit [queries x k]; within a radius as in SearchBuffers
  BufferView distances;  ///< written: binary32, the same
  BufferView offsets;    ///< written within a radius: 64-bit [queries + 1]
  /// read where they are listed: 32-bit, the objects of a chunk's values
  BufferView numbers = {};
};

/// A plan; its recordings follow each other in order, with a barrier between.
class DistanceAnswers {
 public:
  static std::unique_ptr<DistanceAnswers> make(Device& device, const AnswerDescription& description);
  virtual ~DistanceAnswers() = default;

  virtual std::uint64_t scratch_bytes() const = 0;
  virtual void record_begin(Recording& recording, const AnswerBuffers& buffers) const = 0;
  /// @param values  binary32 or keys [count x stride], 16-byte aligned, a NaN's where an
  ///                object is no neighbour; count is that of description.chunk, or what is left
  virtual void record_chunk(Recording& recording, const BufferView& values, std::uint32_t first, std::uint32_t count,
                            const AnswerBuffers& buffers) const = 0;
  virtual void record_end(Recording& recording, const AnswerBuffers& buffers) const = 0;
};

}  // namespace proxel::search
