#include "signatures/signature_search.hpp"

#include <algorithm>

#include "proxel/passes/signature_bounds.h"
#include "proxel/passes/signature_limits.h"
#include "proxel/passes/signature_pairs.h"
#include "proxel/passes/signature_screen.h"
#include "proxel/passes/signature_survivors.h"
#include "search/check.hpp"
#include "search/occupancy.hpp"
#include "search/rehearsal.hpp"

namespace proxel::signatures {

using namespace search;

namespace {

// Workgroups that share the work on each of some queries: enough to fill a device, and few, because
// each prepares for its query and many find that nothing was left to them.
std::uint32_t groups_of(std::uint64_t most, std::uint32_t queries) {
  constexpr std::uint64_t wanted = 8192, least = 16;
  return static_cast<std::uint32_t>(std::min(most, std::max(wanted / queries, least)));
}

}  // namespace

SignatureSearch::SignatureSearch(Device& device, const StoredSignatures& stored, const StoredPivots* pivots,
                                 const SignatureSearchDescription& description,
                                 const SignaturePermutations* permutations)
    : stored_(stored),
      pivots_(pivots),
      description_(description),
      queries_(description, stored.dimensions),
      stride_(distance_stride(stored)),
      chunk_(static_cast<std::uint32_t>(std::clamp<std::uint64_t>(
          description.scratch_limit / (description.filtered || permutations ? 4 : 2) / (stride_ * 4), 1,
          std::min(description.queries, largest_grid_extent)))) {
  if (permutations) chunk_ = std::min(chunk_, SignatureCandidates::most_queries(device, *permutations, description));
  AnswerDescription wanted;
  wanted.objects = stored.count;
  wanted.stride = stride_;
  wanted.queries = description.queries;
  wanted.chunk = chunk_;
  wanted.k = description.k;
  wanted.radius = description.radius;
  wanted.scratch_limit = description.scratch_limit / 4;
  answers_ = DistanceAnswers::make(device, wanted);
  limits_offset_ = answers_offset_ = align_scratch(chunk_ * stride_ * 4);
  if (selects()) {
    indices_offset_ = limits_offset_ + align_scratch(std::uint64_t{chunk_} * 4);
    selected_offset_ = indices_offset_ + align_scratch(chunk_ * description.k * 4);
    selection_offset_ = selected_offset_ + align_scratch(chunk_ * description.k * 4);
    select_ = selection(device, chunk_);
    if (const std::uint32_t left = description.queries % chunk_; left != 0) select_last_ = selection(device, left);
    answers_offset_ = selection_offset_ +
                      align_scratch(std::max({select_->scratch_bytes(),
                                              select_last_ ? select_last_->scratch_bytes() : 0, std::uint64_t{1}}));
  }
  if (description.filtered) {
    pivots_offset_ = answers_offset_;
    squares_offset_ = pivots_offset_ + align_scratch(std::uint64_t{chunk_} * passes::signature_pivots * 4);
    lists_offset_ = squares_offset_ + (description.radius ? 0 : align_scratch(chunk_ * description.k * 4));
    answers_offset_ = lists_offset_ + align_scratch(chunk_ * stride_ * 4);
  }
  if (permutations) {
    candidates_ = std::make_unique<SignatureCandidates>(device, *permutations, description, chunk_);
    candidates_offset_ = answers_offset_;
    answers_offset_ += candidates_->scratch_bytes();
  }
  scratch_bytes_ = answers_offset_ + align_scratch(std::max<std::uint64_t>(answers_->scratch_bytes(), 1));

  RehearsalBuffer nowhere(UINT64_MAX);
  rehearse(device, [&](Recording& rehearsal) { record(rehearsal, nowhere, {nowhere, nowhere, nowhere, nowhere}); });
}

SelectionPlan SignatureSearch::selection(Device& device, std::uint32_t queries) const {
  constexpr std::uint64_t smallest_limit = std::uint64_t{1} << 20;
  SelectionDescription smallest;
  smallest.rows = queries;
  smallest.columns = stored_.count;
  smallest.row_stride = stride_;
  smallest.k = description_.k;
  smallest.scratch_limit = std::max(description_.scratch_limit / 8, smallest_limit);
  return SelectionPlan::make(device, smallest);
}

// What is screened of the candidates; the others are NaN.
void SignatureSearch::record_candidates(Recording& recording, std::uint64_t queries, std::uint32_t first,
                                        std::uint32_t count, const BufferView& scratch) const {
  const BufferView found = scratch.part(candidates_offset_, candidates_->scratch_bytes());
  const BufferView squares = scratch.part(0, count * stride_ * 4);
  candidates_->record(recording, queries_, queries, first, count, found, scratch.part(0, chunk_ * stride_ * 4));
  recording.barrier();
  recording.fill(squares, 0xFF);
  recording.barrier();
  passes::SignaturePairsParameters pairs{};
  pairs.lists = candidates_->lists(found.address());
  pairs.counts = queries + queries_.survivors + std::uint64_t{first} * 4;
  pairs.squares = squares.address();
  pairs.list_stride = candidates_->list_stride();
  pairs.square_stride = static_cast<std::uint32_t>(stride_);
  record_pairs(recording, pairs, queries, first, count, description_.candidates);
}

void SignatureSearch::record_screen(Recording& recording, std::uint64_t queries, std::uint32_t first,
                                    std::uint32_t count, const BufferView& scratch) const {
  if (candidates_) return record_candidates(recording, queries, first, count, scratch);
  if (description_.filtered) return record_filter(recording, queries, first, count, scratch);
  passes::SignatureScreenParameters screen{};
  screen.queries = from_query(queries_.signatures.at(queries), first);
  screen.objects = stored_.set();
  screen.groups = stored_.groups();
  screen.distances = scratch.address();
  screen.group_count = stored_.group_count;
  screen.distance_stride = static_cast<std::uint32_t>(stride_);
  screen.query_count = count;
  screen.factor = stored_.scale.screen_factor();
  screen.unit = static_cast<std::uint32_t>(stored_.scale.unit);
  recording.record(passes::make_signature_screen(screen, stored_.scale.kind, stored_.dimensions,
                                                 std::min(stored_.group_count, largest_grid_extent)));
}

void SignatureSearch::record_select(Recording& recording, std::uint32_t count, const BufferView& scratch) const {
  SelectionBuffers smallest;
  smallest.values = scratch.part(0, count * stride_ * 4);
  smallest.scratch = scratch.part(selection_offset_, answers_offset_ - selection_offset_);
  smallest.indices = scratch.part(indices_offset_, count * description_.k * 4);
  smallest.selected = scratch.part(selected_offset_, count * description_.k * 4);
  (count == chunk_ ? *select_ : *select_last_).record(recording, smallest);
}

void SignatureSearch::record_pairs(Recording& recording, passes::SignaturePairsParameters pairs, std::uint64_t queries,
                                   std::uint32_t first, std::uint32_t count, std::uint64_t listed) const {
  pairs.queries = from_query(queries_.signatures.at(queries), first);
  pairs.objects = stored_.set();
  pairs.factor = stored_.scale.screen_factor();
  pairs.unit = static_cast<std::uint32_t>(stored_.scale.unit);
  constexpr std::uint64_t at_once = 4;
  recording.record(passes::make_signature_pairs(pairs, stored_.scale.kind, stored_.dimensions,
                                                groups_of(divide_up(listed, at_once), count), count));
}

// Bounds of all; for the k nearest what is screened of the k with the smallest; then what is screened
// of every object that these and its bound do not exclude.
void SignatureSearch::record_filter(Recording& recording, std::uint64_t queries, std::uint32_t first,
                                    std::uint32_t count, const BufferView& scratch) const {
  const std::uint64_t distances = scratch.address() + pivots_offset_;
  record_distances(recording, pivots_->pivots, queries_, queries, first, count, distances, passes::signature_pivots);
  recording.barrier();
  passes::SignatureBoundsParameters bounds{};
  bounds.query_distances = distances;
  bounds.query_errors = queries + queries_.errors + std::uint64_t{first} * 4;
  bounds.low = pivots_->low;
  bounds.high = pivots_->high;
  bounds.inverse_low = pivots_->inverse_low;
  bounds.inverse_high = pivots_->inverse_high;
  bounds.bounds = scratch.address();
  bounds.pivots = static_cast<std::uint32_t>(pivots_->pivots.count);
  bounds.objects = static_cast<std::uint32_t>(stored_.count);
  bounds.object_stride = static_cast<std::uint32_t>(pivots_->object_stride);
  bounds.bound_stride = static_cast<std::uint32_t>(stride_);
  const std::uint32_t groups = groups_of(divide_up<std::uint64_t>(stored_.count, passes::signature_block), count);
  recording.record(passes::make_signature_bounds(bounds, groups, count));
  recording.barrier();

  passes::SignatureSurvivorsParameters survivors{};
  if (!description_.radius) {
    record_select(recording, count, scratch);
    recording.barrier();
    passes::SignaturePairsParameters nearest{};
    nearest.lists = scratch.address() + indices_offset_;
    nearest.squares = survivors.squares = scratch.address() + squares_offset_;
    nearest.count = nearest.list_stride = nearest.square_stride = survivors.k =
        static_cast<std::uint32_t>(description_.k);
    record_pairs(recording, nearest, queries, first, count, description_.k);
    recording.barrier();
  }
  survivors.bounds = scratch.address();
  survivors.limits = queries + queries_.margins + std::uint64_t{first} * 4;
  survivors.lists = scratch.address() + lists_offset_;
  survivors.counts = queries + queries_.survivors + std::uint64_t{first} * 4;
  survivors.objects = bounds.objects;
  survivors.bound_stride = bounds.bound_stride;
  recording.record(passes::make_signature_survivors(survivors, groups, count));
  recording.barrier();
  passes::SignaturePairsParameters left{};
  left.lists = survivors.lists;
  left.counts = survivors.counts;
  left.squares = scratch.address();
  left.list_stride = left.square_stride = bounds.bound_stride;
  record_pairs(recording, left, queries, first, count, stored_.count);
}

void SignatureSearch::record_limits(Recording& recording, std::uint64_t queries, std::uint32_t first,
                                    std::uint32_t count, const BufferView& scratch) const {
  const std::uint64_t k = description_.k;
  record_select(recording, count, scratch);
  recording.barrier();
  passes::SignatureLimitsParameters limits{};
  limits.selected = scratch.address() + selected_offset_;
  limits.margins = queries + queries_.margins + std::uint64_t{first} * 4;
  limits.limits = scratch.address() + limits_offset_;
  limits.query_count = count;
  limits.k = static_cast<std::uint32_t>(k);
  recording.record(passes::make_signature_limits(limits));
}

void SignatureSearch::record(Recording& recording, const BufferView& queries, const AnswerBuffers& buffers) const {
  recording.push_label("signatures");
  const AnswerBuffers answers{buffers.scratch.part(answers_offset_, scratch_bytes_ - answers_offset_), buffers.indices,
                              buffers.distances, buffers.offsets};
  record_query_terms(recording, stored_, queries_, queries.address(), description_.queries);
  answers_->record_begin(recording, answers);
  for (std::uint32_t first = 0; first < description_.queries; first += chunk_) {
    const std::uint32_t count = std::min(chunk_, description_.queries - first);
    // The distances before have been used.
    recording.barrier();
    std::uint64_t limits = 0;
    if (description_.screened) {
      record_screen(recording, queries.address(), first, count, buffers.scratch);
      recording.barrier();
      if (selects()) {
        record_limits(recording, queries.address(), first, count, buffers.scratch);
        recording.barrier();
      }
      limits = selects() ? buffers.scratch.address() + limits_offset_
                         : queries.address() + queries_.margins + std::uint64_t{first} * 4;
    }
    record_distances(recording, stored_, queries_, queries.address(), first, count, buffers.scratch.address(), stride_,
                     limits);
    recording.barrier();
    answers_->record_chunk(recording, buffers.scratch.part(0, count * stride_ * 4), first, count, answers);
  }
  answers_->record_end(recording, answers);
  recording.pop_label();
}

AllDistances::AllDistances(Device& device, const StoredSignatures& stored,
                           const SignatureSearchDescription& description)
    : stored_(stored), count_(description.queries), queries_(description, stored.dimensions) {
  RehearsalBuffer nowhere(UINT64_MAX);
  rehearse(device, [&](Recording& rehearsal) { record(rehearsal, nowhere, {nowhere, nowhere, nowhere, nowhere}); });
}

void AllDistances::record(Recording& recording, const BufferView& queries, const AnswerBuffers& answers) const {
  recording.push_label("signatures");
  record_query_terms(recording, stored_, queries_, queries.address(), count_);
  recording.barrier();
  const std::uint64_t stride = distance_stride(stored_);
  for (std::uint32_t first = 0; first < count_;) {
    const std::uint32_t count = std::min(count_ - first, largest_grid_extent);
    record_distances(recording, stored_, queries_, queries.address(), first, count,
                     answers.distances.address() + first * stride * 4, stride);
    first += count;
  }
  recording.pop_label();
}

}  // namespace proxel::signatures
