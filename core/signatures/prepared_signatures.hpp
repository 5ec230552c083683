#pragma once

#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>
#include <numeric>
#include <vector>

#include "index/answer_block.hpp"
#include "index/stopwatch.hpp"
#include "signatures/signature_search.hpp"

namespace proxel::signatures {

/// Memory for the queries of a block, on both sides.
class UploadedQueries {
 public:
  UploadedQueries(Device& device, const StoredSignatures& stored, const QueryMemory& layout)
      : stored_(stored), layout_(layout), far_(device.create_buffer(layout.bytes, MemoryKind::upload)),
        near_(device.create_buffer(layout.bytes, MemoryKind::device)),
        evaluated_(device.create_buffer(layout.bytes - layout.evaluated, MemoryKind::readback)) {}

  BufferView near() const { return *near_; }
  void record_begin(Recording& recording) const {
    recording.copy(*far_, *near_);
    recording.barrier();
  }
  void record_end(Recording& recording) const {
    recording.barrier();
    recording.copy(BufferView(*near_).part(layout_.evaluated, evaluated_->bytes()), *evaluated_);
  }

  /// @param places   of as many queries as there is memory for
  /// @param margins  of each of them, where they are screened
  /// @param errors   of each, where pivots filter
  void put(const Signatures& queries, std::uint64_t first, SignaturePlaces places,
           const std::vector<float>& margins = {}, const std::vector<float>& errors = {}) {
    auto* to = static_cast<std::byte*>(far_->mapped());
    const std::uint64_t count = evaluated_->bytes() / 8;
    places.groups.resize(count + 1, static_cast<std::uint32_t>(count));
    pack(queries, first, stored_.scale, places, layout_.signatures, to);
    std::copy(margins.begin(), margins.end(), reinterpret_cast<float*>(to + layout_.margins));
    std::copy(errors.begin(), errors.end(), reinterpret_cast<float*>(to + layout_.errors));
    std::memset(to + layout_.evaluated, 0, count * 8);
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
        queries_(device, stored, search_.query_memory()),
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
