#include "strings/permutation_search.hpp"

#include <algorithm>

#include "passes/permutation_positions.hpp"
#include "search/check.hpp"
#include "search/occupancy.hpp"
#include "search/rehearsal.hpp"

namespace proxel::strings {

using namespace search;

namespace {

constexpr std::uint64_t smallest_selection_scratch = std::uint64_t{1} << 20;
constexpr std::uint32_t workgroup = 128;

}  // namespace

PermutationSearch::PermutationSearch(Device& device, const StoredPermutations& stored,
                                     const PermutationSearchDescription& description)
    : stored_(stored), description_(description),
      to_permutants_(device, stored.permutants, description.strings.queries,
                     description.strings.longest_query, stored.permutants.count,
                     description.strings.scratch_limit / 8),
      to_candidates_(device, stored.strings, description.strings.queries,
                     description.strings.longest_query, description.candidates,
                     description.strings.scratch_limit / 8) {
  const std::uint32_t queries = description.strings.queries;
  const std::uint32_t chunk = to_candidates_.chunk();
  const std::uint64_t tiles = divide_up<std::uint64_t>(stored.strings.count, workgroup);
  groups_ = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(
      divide_up(8 * wanted_groups(device.capabilities()), chunk), 1, std::min<std::uint64_t>(tiles, largest_grid_extent)));
  select_ = candidate_selection(device, chunk);
  std::uint64_t selection_bytes = std::max<std::uint64_t>(select_->scratch_bytes(), 1);
  if (const std::uint32_t left = queries % chunk; left != 0) {
    select_last_ = candidate_selection(device, left);
    selection_bytes = std::max(selection_bytes, select_last_->scratch_bytes());
  }
  AnswerDescription wanted = answers_wanted(description.strings, to_candidates_);
  wanted.selection = description.selection;
  answers_ = DistanceAnswers::make(device, wanted);

  const auto permutants = static_cast<std::uint32_t>(stored.permutants.count);
  // Distances to permutants and to strings take turns in the same memory.
  const std::uint64_t distances =
      std::max(to_permutants_.chunk() * to_permutants_.stride(), chunk * to_candidates_.stride()) * 4;
  const std::uint64_t list = align_scratch(chunk * description.candidates * 4);
  positions_offset_ = align_scratch(to_candidates_.table_bytes());
  carries_offset_ =
      positions_offset_ + align_scratch(passes::permutation_bytes(queries, permutants));
  distances_offset_ =
      carries_offset_ +
      align_scratch(std::max(to_permutants_.carry_bytes(), to_candidates_.carry_bytes()));
  candidates_offset_ = distances_offset_ + align_scratch(distances);
  selected_offset_ = candidates_offset_ + list;
  selection_offset_ = selected_offset_ + list;
  answers_offset_ = selection_offset_ + align_scratch(selection_bytes);
  scratch_bytes_ = answers_offset_ + align_scratch(std::max<std::uint64_t>(answers_->scratch_bytes(), 1));

  RehearsalBuffer nowhere(UINT64_MAX);
  Rehearsal rehearsal(device);
  record(rehearsal, {nowhere, nowhere, nowhere, nowhere, nowhere, nowhere});
}

SelectionPlan PermutationSearch::candidate_selection(Device& device, std::uint32_t queries) const {
  SelectionDescription description;
  description.rows = queries;
  description.columns = stored_.strings.count;
  description.row_stride = to_candidates_.stride();
  description.k = description_.candidates;
  description.sorted = false;
  description.method = description_.selection;
  description.scratch_limit =
      std::max(description_.strings.scratch_limit / 4, smallest_selection_scratch);
  return SelectionPlan::make(device, description);
}

void PermutationSearch::record_permutations(Recording& recording,
                                            const StringSearchBuffers& buffers,
                                            const StringAddresses& at) const {
  const auto permutants = static_cast<std::uint32_t>(stored_.permutants.count);
  const std::uint32_t chunk = to_permutants_.chunk();
  for (std::uint32_t first = 0; first < description_.strings.queries; first += chunk) {
    const std::uint32_t count = std::min(chunk, description_.strings.queries - first);
    recording.barrier();
    to_permutants_.record(recording, at, first, count);
    recording.barrier();
    passes::PermutationsParameters pass{};
    pass.distances = at.distances;
    pass.positions = buffers.scratch.address() + positions_offset_;
    pass.first_object = first;
    pass.objects = count;
    pass.permutants = permutants;
    pass.kept = stored_.kept;
    pass.object_stride = static_cast<std::uint32_t>(to_permutants_.stride());
    pass.permutant_stride = 1;
    recording.record(passes::make_permutations(pass));
  }
}

void PermutationSearch::record_chunk(Recording& recording, const StringSearchBuffers& buffers,
                                     const StringAddresses& at, const AnswerBuffers& answers,
                                     std::uint32_t first, std::uint32_t count) const {
  passes::PermutationDistanceParameters distance{};
  distance.positions = stored_.positions->address();
  distance.query_positions = buffers.scratch.address() + positions_offset_;
  distance.distances = at.distances;
  distance.objects = static_cast<std::uint32_t>(stored_.strings.count);
  distance.permutants = static_cast<std::uint32_t>(stored_.permutants.count);
  distance.first_query = first;
  distance.distance_stride = static_cast<std::uint32_t>(to_candidates_.stride());
  recording.record(passes::make_permutation_distance(distance, stored_.distance, groups_, count));
  recording.barrier();

  const BufferView distances = buffers.scratch.part(distances_offset_, count * to_candidates_.stride() * 4);
  const std::uint64_t list = count * description_.candidates * 4;
  SelectionBuffers selection;
  selection.values = distances;
  selection.scratch = buffers.scratch.part(selection_offset_, answers_offset_ - selection_offset_);
  selection.indices = buffers.scratch.part(candidates_offset_, list);
  selection.selected = buffers.scratch.part(selected_offset_, list);
  (count == to_candidates_.chunk() ? *select_ : *select_last_).record(recording, selection);
  recording.barrier();

  // Strings that are no candidates are NaN, behind all that are.
  recording.fill(distances, 0xFF);
  recording.barrier();
  to_candidates_.record(recording, at, first, count, bound_of(description_.strings),
                        buffers.scratch.address() + candidates_offset_);
  recording.barrier();
  answers_->record_chunk(recording, distances, first, count, answers);
}

void PermutationSearch::record(Recording& recording, const StringSearchBuffers& buffers) const {
  const std::uint64_t scratch = buffers.scratch.address();
  const StringAddresses at{buffers.offsets.address(), scratch, scratch + carries_offset_,
                           scratch + distances_offset_};
  recording.push_label("permutations");
  to_candidates_.record_tables(recording, buffers.symbols.address(), at);
  record_permutations(recording, buffers, at);
  recording.pop_label();
  const AnswerBuffers answers{buffers.scratch.part(answers_offset_, scratch_bytes_ - answers_offset_),
                              buffers.indices, buffers.distances, buffers.matches};
  answers_->record_begin(recording, answers);
  recording.push_label("candidates");
  const std::uint32_t chunk = to_candidates_.chunk();
  for (std::uint32_t first = 0; first < description_.strings.queries; first += chunk) {
    recording.barrier();
    record_chunk(recording, buffers, at, answers, first,
                 std::min(chunk, description_.strings.queries - first));
  }
  answers_->record_end(recording, answers);
  recording.pop_label();
}

}  // namespace proxel::strings
