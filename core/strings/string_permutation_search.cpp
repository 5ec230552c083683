#include "strings/string_permutation_search.hpp"

#include <algorithm>

#include "search/check.hpp"

namespace proxel::strings {

using namespace search;

namespace {

permutation::PermutationSearchDescription permutation_part(const StringPermutationDescription& description) {
  return {description.strings.queries, description.candidates, description.selection,
          description.strings.scratch_limit};
}

// The distances of candidates stand as they are listed. Where the nearest are wanted and
// lists do not ascend, so that equal distances would come in another order than their
// strings, they stand by number instead, and all other strings are NaN.
class StringCandidates final : public permutation::ObjectDistances {
 public:
  StringCandidates(Device& device, const StoredPermutations& stored, const StringPermutationDescription& description,
                   const permutation::CandidateWay& way)
      : bound_(bound_of(description.strings)),
        list_stride_(way.list_stride),
        listed_(way.counting || description.strings.radius),
        to_permutants_(device, stored.permutants, description.strings.queries, description.strings.longest_query,
                       {stored.permutants.count}, description.strings.scratch_limit / 8),
        to_candidates_(device, stored.strings, description.strings.queries, description.strings.longest_query,
                       {description.candidates, listed_}, description.strings.scratch_limit / 8, way.most_queries),
        answers_(DistanceAnswers::make(device, answers(description, to_candidates_))) {
    carries_offset_ = align_scratch(to_candidates_.table_bytes());
    answers_offset_ =
        carries_offset_ + align_scratch(std::max(to_permutants_.carry_bytes(), to_candidates_.carry_bytes()));
  }

  std::uint32_t permutant_chunk() const override { return to_permutants_.chunk(); }
  std::uint32_t chunk() const override { return to_candidates_.chunk(); }
  std::uint64_t permutant_stride() const override { return to_permutants_.stride(); }
  std::uint64_t distance_bytes() const override { return chunk() * to_candidates_.stride() * 4; }
  std::uint64_t scratch_bytes() const override {
    return answers_offset_ + align_scratch(std::max<std::uint64_t>(answers_->scratch_bytes(), 1));
  }

  void record_begin(Recording& recording, const Memory& memory) const override {
    to_candidates_.record_tables(recording, memory.buffers.queries.values.address(), at(memory));
    answers_->record_begin(recording, answers(memory));
  }
  void record_to_permutants(Recording& recording, const Memory& memory, std::uint32_t first,
                            std::uint32_t count) const override {
    to_permutants_.record(recording, at(memory), first, count);
  }
  void record_answers(Recording& recording, const Memory& memory, const BufferView& candidates, std::uint32_t first,
                      std::uint32_t count) const override {
    const BufferView distances = memory.distances.part(0, count * to_candidates_.stride() * 4);
    if (!listed_) {
      recording.fill(distances, 0xFF);
      recording.barrier();
    }
    to_candidates_.record(recording, at(memory), first, count, bound_, candidates.address(), list_stride_);
    recording.barrier();
    AnswerBuffers buffers = answers(memory);
    buffers.numbers = candidates;
    answers_->record_chunk(recording, distances, first, count, buffers);
  }
  void record_end(Recording& recording, const Memory& memory) const override {
    answers_->record_end(recording, answers(memory));
  }

 private:
  AnswerDescription answers(const StringPermutationDescription& description,
                            const StringDistances& to_candidates) const {
    AnswerDescription wanted = answers_wanted(description.strings, to_candidates);
    wanted.selection = description.selection;
    wanted.listed = listed_;
    wanted.list_stride = list_stride_;
    return wanted;
  }
  StringAddresses at(const Memory& memory) const {
    const std::uint64_t scratch = memory.scratch.address();
    return {memory.buffers.queries.offsets.address(), scratch, scratch + carries_offset_, memory.distances.address()};
  }
  AnswerBuffers answers(const Memory& memory) const {
    AnswerBuffers buffers = memory.buffers.answers;
    buffers.scratch = memory.scratch.part(answers_offset_, scratch_bytes() - answers_offset_);
    return buffers;
  }

  std::uint32_t bound_;
  std::uint32_t list_stride_;
  bool listed_;
  StringDistances to_permutants_, to_candidates_;
  std::unique_ptr<DistanceAnswers> answers_;
  std::uint64_t carries_offset_ = 0;  // behind the tables
  std::uint64_t answers_offset_ = 0;
};

}  // namespace

StringPermutationSearch::StringPermutationSearch(Device& device, const StoredPermutations& stored,
                                                 const StringPermutationDescription& description)
    : search_(device, stored.permutations, permutation_part(description),
              std::make_unique<StringCandidates>(
                  device, stored, description,
                  permutation::choose_way(device, stored.permutations, permutation_part(description)))) {}

void StringPermutationSearch::record(Recording& recording, const SearchBuffers& buffers) const {
  search_.record(recording, {{buffers.queries, buffers.query_offsets},
                             {buffers.scratch, buffers.indices, buffers.distances, buffers.offsets}});
}

}  // namespace proxel::strings
