#include "permutation/vector_candidates.hpp"
#include "proxel/passes/candidate_distance.h"
#include "proxel/passes/merge_lists.h"
#include "proxel/passes/reevaluate.h"
#include "proxel/passes/selection.hpp"
#include "proxel/passes/tile_distance.h"

#include <algorithm>

#include "search/check.hpp"
#include "search/decode.hpp"
#include "search/list_length.hpp"
#include "search/occupancy.hpp"

namespace proxel::permutation {

using namespace search;

namespace {

// Distances of the queries to the permutants, which are one matrix to another's.
class VectorCandidates : public ObjectDistances {
 public:
  VectorCandidates(const Device& device, const StoredVectorPermutations& stored,
                   const VectorSearchDescription& description, std::uint64_t answer_bytes)
      : stored_(stored),
        description_(description),
        way_(choose_way(device, stored.permutations, permutation_part(description))),
        permutant_stride_((stored.permutations.permutants + 3) / 4 * 4) {
    const auto queries_in = [&](std::uint64_t bytes_per_query, std::uint32_t most) {
      return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(description.scratch_limit / 8 / bytes_per_query, 1,
                                                                  std::min(description.queries, most)));
    };
    permutant_chunk_ = queries_in(permutant_stride_ * 4, most_block_queries);
    chunk_ = queries_in(answer_bytes, way_.most_queries);
    tile_width_ = description.queries > 64 && device.capabilities().max_workgroup_size >= 256 ? 16 : 8;
    if (normalizes(metric())) own_offset_ = align_scratch(std::uint64_t{description.queries} * dimensions() * 4);
  }

  std::uint32_t permutant_chunk() const override { return permutant_chunk_; }
  std::uint32_t chunk() const override { return chunk_; }
  std::uint64_t permutant_stride() const override { return permutant_stride_; }

  void record_begin(Recording& recording, const Memory& memory) const override {
    if (!normalizes(metric())) return;
    const auto rows = [&](std::uint64_t address) {
      return row_major_rows(address, description_.queries, dimensions());
    };
    record_normalize(recording, metric(), rows(memory.buffers.queries.values.address()), rows(memory.scratch.address()),
                     dimensions());
  }

  void record_to_permutants(Recording& recording, const Memory& memory, std::uint32_t first,
                            std::uint32_t count) const override {
    passes::TileDistanceParameters distance{};
    distance.rows = row_major_rows(stored_.permutants->address(), stored_.permutations.permutants, dimensions());
    distance.queries = query(memory, first);
    distance.keys = memory.distances.address();
    distance.dimensions = dimensions();
    distance.query_count = count;
    distance.row_count = stored_.permutations.permutants;
    distance.keys_stride = static_cast<std::uint32_t>(permutant_stride_);
    distance.query_stride = dimensions();
    recording.record(passes::make_tile_distance(distance, metric(), tile_width_));
  }

 protected:
  Metric metric() const { return stored_.vectors.metric(); }
  std::uint32_t dimensions() const { return stored_.vectors.dimensions(); }
  std::span<const RowsSegment> segments() const { return stored_.vectors.segments(); }
  /// From one query's candidates to the next's.
  std::uint32_t list_stride() const { return way_.list_stride; }
  std::uint32_t candidates() const { return static_cast<std::uint32_t>(description_.candidates); }
  /// The address of a query as the metric accumulates it.
  std::uint64_t query(const Memory& memory, std::uint32_t number) const {
    const BufferView& values = normalizes(metric()) ? memory.scratch : memory.buffers.queries.values;
    return values.address() + std::uint64_t{number} * dimensions() * 4;
  }
  /// Where the scratch memory of what follows begins.
  std::uint64_t own_offset() const { return own_offset_; }
  const VectorSearchDescription& description() const { return description_; }

 private:
  const StoredVectorPermutations& stored_;
  VectorSearchDescription description_;
  CandidateWay way_;
  std::uint64_t permutant_stride_;
  std::uint32_t permutant_chunk_ = 1, chunk_ = 1;
  std::uint32_t tile_width_ = 8;
  std::uint64_t own_offset_ = 0;  // behind the normalised queries
};

// The k nearest: as many keys at a time as a workgroup selects, which are decoded last.
class NearestCandidates final : public VectorCandidates {
 public:
  NearestCandidates(const Device& device, const StoredVectorPermutations& stored,
                    const VectorSearchDescription& description)
      : VectorCandidates(device, stored, description, description.k * key_bytes),
        selectable_(std::min<std::uint64_t>(description.k, std::max(candidates(), longest_list))),
        round_(keys_at_once(device, selectable_)),
        part_(candidates()) {
    // Few queries keep the device busy with a workgroup for every so many candidates.
    constexpr std::uint32_t worth_a_workgroup = 512;
    if (description.queries < few_queries)
      part_ = std::clamp(divide_up(candidates(), wanted_groups(device.capabilities())),
                         std::min(std::max(worth_a_workgroup, round_), candidates()), candidates());
    lists_ = divide_up(candidates(), part_) * static_cast<std::uint32_t>(segments().size());
    lists_offset_ = own_offset() + align_scratch(chunk() * description.k * key_bytes);
    scratch_bytes_ =
        lists_offset_ + (lists_ > 1 ? align_scratch(chunk() * lists_ * std::uint64_t{round_} * key_bytes) : 0);
  }

  std::uint64_t distance_bytes() const override { return 0; }
  std::uint64_t scratch_bytes() const override { return scratch_bytes_; }

  void record_answers(Recording& recording, const Memory& memory, const BufferView& found, std::uint32_t first,
                      std::uint32_t count) const override {
    const std::uint64_t k = description().k;
    const BufferView keys = memory.scratch.part(own_offset(), count * k * key_bytes);
    if (selectable_ < k) {
      recording.fill(keys, 0xFF);
      recording.barrier();
    }
    for (std::uint64_t rank = 0; rank < selectable_; rank += round_) {
      if (rank != 0) recording.barrier();
      passes::ReevaluateParameters round{};
      round.k = static_cast<std::uint32_t>(std::min<std::uint64_t>(round_, selectable_ - rank));
      round.after = rank == 0 ? 0 : keys.address() + (rank - 1) * key_bytes;
      record_round(recording, memory, found.address(), first, count, round, keys.address() + rank * key_bytes);
    }
    recording.barrier();
    proxel::SearchBuffers buffers;
    buffers.indices = memory.buffers.answers.indices;
    buffers.distances = memory.buffers.answers.distances;
    record_decode(recording, metric(), keys.address(), buffers, first * k, count * k);
  }
  void record_end(Recording&, const Memory&) const override {}

 private:
  // The next keys of each query, to `keys`, k keys apart.
  void record_round(Recording& recording, const Memory& memory, std::uint64_t found, std::uint32_t first,
                    std::uint32_t count, passes::ReevaluateParameters round, std::uint64_t keys) const {
    const auto k = static_cast<std::uint32_t>(description().k);
    const std::uint64_t lists = memory.scratch.address() + lists_offset_;
    round.dimensions = dimensions();
    round.rank_pitch = 1;
    std::uint32_t list = 0;
    for (const RowsSegment& segment : segments()) {
      round.rows = segment.rows;
      round.first_index = static_cast<std::uint32_t>(segment.first_index);
      round.keys = lists_ == 1 ? keys : lists + std::uint64_t{list} * round.k * key_bytes;
      round.keys_stride = lists_ == 1 ? k : lists_ * round.k;
      if (part_ == candidates()) {
        record_queries(recording, memory, found, first, count, round);
        ++list;
        continue;
      }
      for (std::uint32_t i = 0; i < count; ++i) {
        record_parts(recording, query(memory, first + i), found + i * std::uint64_t{list_stride()} * 4, round);
        round.keys += std::uint64_t{lists_} * round.k * key_bytes;
        if (round.after != 0) round.after += k * key_bytes;
      }
      if (round.after != 0) round.after -= count * (k * key_bytes);
      list += divide_up(candidates(), part_);
    }
    if (lists_ == 1) return;
    recording.barrier();
    passes::MergeListsParameters merge{};
    merge.lists = lists;
    merge.merged = keys;
    merge.list_count = lists_;
    merge.k = round.k;
    merge.merged_stride = k;
    recording.record(passes::make_merge_lists(merge, count));
  }

  void record_queries(Recording& recording, const Memory& memory, std::uint64_t found, std::uint32_t first,
                      std::uint32_t count, passes::ReevaluateParameters round) const {
    round.queries = query(memory, first);
    round.query_stride = dimensions();
    round.candidates = found;
    round.count = candidates();
    round.query_pitch = list_stride();
    round.after_stride = static_cast<std::uint32_t>(description().k);
    recording.record(passes::make_reevaluate(round, metric(), count));
  }

  // One query as if it were many, each with some of its candidates.
  void record_parts(Recording& recording, std::uint64_t values, std::uint64_t found,
                    passes::ReevaluateParameters round) const {
    const std::uint32_t whole = candidates() / part_;
    const std::uint32_t rest = candidates() % part_;
    round.queries = values;
    round.candidates = found;
    round.count = round.query_pitch = part_;
    round.keys_stride = round.k;
    recording.record(passes::make_reevaluate(round, metric(), whole));
    if (rest == 0) return;
    round.candidates += std::uint64_t{whole} * part_ * 4;
    round.count = rest;
    round.keys += std::uint64_t{whole} * round.k * key_bytes;
    recording.record(passes::make_reevaluate(round, metric(), 1));
  }

  std::uint64_t selectable_;        // keys, the rest is padding
  std::uint32_t round_;             // of them at a time
  std::uint32_t part_;              // candidates of a workgroup
  std::uint32_t lists_ = 1;         // per query
  std::uint64_t lists_offset_ = 0;  // behind the keys
  std::uint64_t scratch_bytes_ = 0;
};

// All within a radius: keys of all candidates as they are listed.
class CandidatesWithin final : public VectorCandidates {
 public:
  CandidatesWithin(Device& device, const StoredVectorPermutations& stored, const VectorSearchDescription& description)
      : VectorCandidates(device, stored, description, key_stride(description) * 4), stride_(key_stride(description)) {
    AnswerDescription wanted;
    wanted.objects = description.candidates;
    wanted.stride = stride_;
    wanted.listed = true;
    wanted.list_stride = list_stride();
    wanted.queries = description.queries;
    wanted.chunk = chunk();
    wanted.radius = description.radius;
    wanted.keys_of = metric();
    answers_ = DistanceAnswers::make(device, wanted);
  }

  std::uint64_t distance_bytes() const override { return chunk() * stride_ * 4; }
  std::uint64_t scratch_bytes() const override { return own_offset() + align_scratch(answers_->scratch_bytes()); }

  void record_begin(Recording& recording, const Memory& memory) const override {
    VectorCandidates::record_begin(recording, memory);
    answers_->record_begin(recording, answers(memory));
  }
  void record_answers(Recording& recording, const Memory& memory, const BufferView& found, std::uint32_t first,
                      std::uint32_t count) const override {
    const BufferView keys = memory.distances.part(0, count * stride_ * 4);
    for (const RowsSegment& segment : segments()) {
      passes::CandidateDistanceParameters distance{};
      distance.rows = segment.rows;
      distance.queries = query(memory, first);
      distance.candidates = found.address();
      distance.keys = keys.address();
      distance.dimensions = dimensions();
      distance.query_stride = dimensions();
      distance.count = candidates();
      distance.candidate_stride = list_stride();
      distance.keys_stride = static_cast<std::uint32_t>(stride_);
      distance.first_index = static_cast<std::uint32_t>(segment.first_index);
      recording.record(passes::make_candidate_distance(distance, metric(), count));
    }
    recording.barrier();
    AnswerBuffers buffers = answers(memory);
    buffers.numbers = found;
    answers_->record_chunk(recording, keys, first, count, buffers);
  }
  void record_end(Recording& recording, const Memory& memory) const override {
    answers_->record_end(recording, answers(memory));
  }

 private:
  AnswerBuffers answers(const Memory& memory) const {
    AnswerBuffers buffers = memory.buffers.answers;
    buffers.scratch = memory.scratch.part(own_offset(), answers_->scratch_bytes());
    return buffers;
  }

  static std::uint64_t key_stride(const VectorSearchDescription& description) {
    return (description.candidates + 3) / 4 * 4;
  }

  std::uint64_t stride_;  // keys from one query to the next
  std::unique_ptr<DistanceAnswers> answers_;
};

}  // namespace

PermutationSearchDescription permutation_part(const VectorSearchDescription& description) {
  return {description.queries, description.candidates, description.selection, description.scratch_limit};
}

std::unique_ptr<const ObjectDistances> make_vector_candidates(Device& device, const StoredVectorPermutations& stored,
                                                              const VectorSearchDescription& description) {
  if (description.radius) return std::make_unique<CandidatesWithin>(device, stored, description);
  return std::make_unique<NearestCandidates>(device, stored, description);
}

}  // namespace proxel::permutation
