#pragma once

#include <functional>
#include <memory>
#include <numeric>
#include <vector>

#include "index/answer_block.hpp"
#include "index/stopwatch.hpp"
#include "signatures/packed_queries.hpp"

namespace proxel::signatures {

/// Memory for the queries of a block, on both sides.
class UploadedQueries {
 public:
  UploadedQueries(Device& device, const StoredSignatures& stored, const SignatureSearchDescription& description)
      : stored_(stored), description_(description), layout_(description, stored.dimensions),
        far_(device.create_buffer(layout_.bytes, MemoryKind::upload)),
        near_(device.create_buffer(layout_.bytes, MemoryKind::device)),
        evaluated_(device.create_buffer(layout_.bytes - layout_.evaluated, MemoryKind::readback)) {}

  BufferView near() const { return *near_; }
  void record_begin(Recording& recording) const {
    recording.copy(*far_, *near_);
    recording.barrier();
  }
  void record_end(Recording& recording) const {
    recording.barrier();
    recording.copy(BufferView(*near_).part(layout_.evaluated, evaluated_->bytes()), *evaluated_);
  }

  /// Queries that take no more places than described.
  void put(const Signatures& queries, std::uint64_t first, const ScreenBound& bound) {
    pack_queries(queries, first, description_, stored_, bound, static_cast<std::byte*>(far_->mapped()));
  }
  /// In the latest submission.
  std::uint64_t evaluated() const { return sum_of(0); }
  std::uint64_t survivors() const { return sum_of(evaluated_->bytes() / 8); }

 private:
  std::uint64_t sum_of(std::uint64_t first) const {
    const auto* counts = static_cast<const std::uint32_t*>(evaluated_->mapped()) + first;
    return std::accumulate(counts, counts + evaluated_->bytes() / 8, std::uint64_t{0});
  }

  const StoredSignatures& stored_;
  SignatureSearchDescription description_;
  QueryMemory layout_;
  std::unique_ptr<Buffer> far_, near_, evaluated_;
};

/// A search of one shape with its buffers and its recorded commands, submitted once
/// per block of queries.
class PreparedSignatures {
 public:
  /// @param matches  slots for the answers of a block within a radius
  PreparedSignatures(Device& device, const StoredSignatures& stored, const StoredPivots* pivots,
                     const SignatureSearchDescription& description, std::uint64_t matches, Timing timing)
      : description_(description), search_(device, stored, pivots, description),
        queries_(device, stored, description),
        block_(device, {description.queries, description.k, description.radius}, matches, search_.scratch_bytes(),
               timing, [&](Recording& recording, const search::AnswerBuffers& answers) {
                 queries_.record_begin(recording);
                 search_.record(recording, queries_.near(), answers);
                 queries_.record_end(recording);
               }) {}

  bool serves(const SignatureSearchDescription& wanted, std::uint64_t matches) const {
    SignatureSearchDescription with_places = wanted;
    with_places.places = description_.places;
    return with_places == description_ && wanted.places <= description_.places && block_.slots() >= matches;
  }
  UploadedQueries& queries() { return queries_; }
  index::AnswerBlock& block() { return block_; }

 private:
  SignatureSearchDescription description_;
  SignatureSearch search_;
  UploadedQueries queries_;
  index::AnswerBlock block_;
};

}  // namespace proxel::signatures
