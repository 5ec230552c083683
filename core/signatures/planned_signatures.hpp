#pragma once

#include <memory>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "proxel/error.hpp"
#include "proxel/signature_index.hpp"
#include "search/bindings.hpp"
#include "signatures/packed_queries.hpp"

namespace proxel::signatures {

/// @tparam Search  SignatureSearch or AllDistances. Its queries are copied to the scratch memory first, since
///                 it writes to them, so that what the caller packed may be memory of the host's.
template <typename Search>
class PlannedSignatures final : public SignaturePlan {
 public:
  /// @param longest  centroids that a query has at most
  /// @param results  what indices, distances and offsets have to be
  PlannedSignatures(Device& device, const StoredSignatures& stored, const ScreenBound& bound, std::uint32_t longest,
                    const SignatureSearchDescription& description, Search search, const SearchRequirements& results,
                    std::uint64_t distance_stride = 0)
      : device_(device),
        stored_(stored),
        bound_(bound),
        longest_(longest),
        description_(description),
        search_(std::move(search)),
        requirements_(results),
        distance_stride_(distance_stride),
        counts_(device.create_buffer(memory().bytes - memory().evaluated, MemoryKind::readback)) {
    requirements_.queries = {memory().bytes, search::element_alignment, search::by_kernels | usage_transfer_source};
    requirements_.scratch = search::scratch_requirement(queries_bytes() + search_.scratch_bytes());
  }

  SignatureMethod method() const override { return method_of(description_); }
  SearchRequirements requirements() const override { return requirements_; }
  std::uint64_t distance_stride() const override { return distance_stride_; }
  std::uint64_t evaluated() const override { return sum_of_counts(0); }
  std::uint64_t compared() const override {
    return description_.filtered || description_.candidates != 0 ? sum_of_counts(description_.queries)
                                                                 : std::uint64_t{description_.queries} * stored_.count;
  }
  PlanInfo info() const override {
    return {description_.candidates != 0 ? std::string_view("permutations") : to_string(method()), distance_stride_};
  }
  std::vector<RungCount> rungs() const override { return {{std::string(to_string(method())), description_.queries}}; }

  void record(Recording& recording, const SearchBuffers& buffers, SearchPart part) const override {
    search::require_whole(part);
    search::Bindings bindings(recording, device_);
    search::check(bindings, requirements_, buffers);
    const BufferView queries = buffers.scratch.part(0, memory().bytes);
    recording.copy(buffers.queries.part(0, memory().bytes), queries);
    recording.barrier();
    search_.record(recording, queries,
                   {buffers.scratch.part(queries_bytes(), search_.scratch_bytes()), buffers.indices, buffers.distances,
                    buffers.offsets});
    recording.barrier();
    recording.copy(queries.part(memory().evaluated, counts_->bytes()), *counts_);
  }

  PackedSignatureLayout layout() const override {
    const QueryMemory& at = memory();
    return {0,
            at.signatures.weights,
            at.signatures.spans,
            at.signatures.terms,
            at.signatures.groups,
            at.margins,
            at.errors,
            at.evaluated,
            at.bytes,
            description_.places};
  }

  void pack(const Signatures& queries, std::span<std::byte> to) const override {
    search::require_range("queries", queries.size(), description_.queries, description_.queries);
    search::require_range("query length", queries.longest(), 1, longest_);
    search::require_range("dimensions of the queries", queries.dimensions(), stored_.dimensions, stored_.dimensions);
    search::require_range("bytes of packed queries", to.size(), memory().bytes, UINT64_MAX);
    if (reinterpret_cast<std::uintptr_t>(to.data()) % search::element_alignment != 0)
      throw Error(ErrorCode::invalid_argument, "memory of packed queries",
                  fmt::format("must start at a multiple of {} bytes", search::element_alignment));
    if (description_.screened && !bound_.serves(queries))
      throw Error(ErrorCode::unsupported, "queries",
                  fmt::format("have weights whose squares may leave the range of binary32, which {} needs{}",
                              to_string(method()),
                              description_.candidates != 0 ? "" : "; plan for an index with the method canonical"));
    pack_queries(queries, 0, description_, stored_, &bound_, to.data());
  }

 private:
  const QueryMemory& memory() const { return search_.query_memory(); }
  std::uint64_t queries_bytes() const { return search::align_scratch(memory().bytes); }
  std::uint64_t sum_of_counts(std::uint64_t first) const {
    const auto* counts = static_cast<const std::uint32_t*>(counts_->mapped()) + first;
    return std::accumulate(counts, counts + description_.queries, std::uint64_t{0});
  }

  const Device& device_;
  const StoredSignatures& stored_;
  const ScreenBound& bound_;
  std::uint32_t longest_;
  SignatureSearchDescription description_;
  Search search_;
  SearchRequirements requirements_;
  std::uint64_t distance_stride_;
  std::unique_ptr<Buffer> counts_;  // QueryMemory's evaluated and survivors, of the latest execution
};

}  // namespace proxel::signatures
