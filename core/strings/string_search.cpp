#include "strings/string_search.hpp"

#include <algorithm>

#include "search/check.hpp"
#include "search/rehearsal.hpp"

namespace proxel::strings {

using namespace search;

AnswerDescription answers_wanted(const StringSearchDescription& description, const StringDistances& distances) {
  AnswerDescription wanted;
  wanted.objects = distances.objects();
  wanted.stride = distances.stride();
  wanted.queries = description.queries;
  wanted.chunk = distances.chunk();
  wanted.k = description.k;
  wanted.radius = description.radius;
  wanted.scratch_limit = description.scratch_limit / 4;
  return wanted;
}

std::uint32_t bound_of(const StringSearchDescription& description) {
  if (!description.radius || *description.radius >= static_cast<float>(most_symbols)) return no_bound;
  return static_cast<std::uint32_t>(std::max(*description.radius, 0.0f));
}

StringSearch::StringSearch(Device& device, const StoredStrings& strings, const StringSearchDescription& description)
    : description_(description),
      distances_(device, strings, description.queries, description.longest_query,
                 {strings.count, description.radius.has_value()}, description.scratch_limit / 4) {
  AnswerDescription wanted = answers_wanted(description, distances_);
  // Matches are put in order last, so that distances may stand beside each other as their
  // strings do; of the nearest, equal ones have to come in the order of their numbers.
  wanted.listed = description.radius.has_value();
  if (wanted.listed) by_place_ = strings.by_place();
  answers_ = DistanceAnswers::make(device, wanted);
  carries_offset_ = align_scratch(distances_.table_bytes());
  distances_offset_ = carries_offset_ + align_scratch(distances_.carry_bytes());
  answers_offset_ = distances_offset_ + align_scratch(distances_.chunk() * distances_.stride() * 4);
  scratch_bytes_ = answers_offset_ + align_scratch(std::max<std::uint64_t>(answers_->scratch_bytes(), 1));

  RehearsalBuffer nowhere(UINT64_MAX);
  rehearse(device, [&](Recording& rehearsal) { record(rehearsal, rehearsal_buffers(nowhere)); });
}

void StringSearch::record(Recording& recording, const SearchBuffers& buffers) const {
  recording.push_label("strings");
  const std::uint64_t scratch = buffers.scratch.address();
  const StringAddresses at{buffers.query_offsets.address(), scratch, scratch + carries_offset_,
                           scratch + distances_offset_};
  const AnswerBuffers answers{buffers.scratch.part(answers_offset_, scratch_bytes_ - answers_offset_), buffers.indices,
                              buffers.distances, buffers.offsets, by_place_};
  distances_.record_tables(recording, buffers.queries.address(), at);
  answers_->record_begin(recording, answers);
  for (std::uint32_t first = 0; first < description_.queries; first += distances_.chunk()) {
    const std::uint32_t count = std::min(distances_.chunk(), description_.queries - first);
    // The distances before have been used.
    recording.barrier();
    distances_.record(recording, at, first, count, bound_of(description_));
    recording.barrier();
    answers_->record_chunk(recording, buffers.scratch.part(distances_offset_, count * distances_.stride() * 4), first,
                           count, answers);
  }
  answers_->record_end(recording, answers);
  recording.pop_label();
}

}  // namespace proxel::strings
