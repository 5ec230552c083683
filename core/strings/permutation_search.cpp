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
  select_ = selections(device, chunk);
  const auto most_scratch = [](const Selections& of) {
    return std::max(of.candidates.scratch_bytes(), of.results.scratch_bytes());
  };
  std::uint64_t selection_bytes = std::max<std::uint64_t>(most_scratch(*select_), 1);
  if (const std::uint32_t left = queries % chunk; left != 0) {
    select_last_ = selections(device, left);
    selection_bytes = std::max(selection_bytes, most_scratch(*select_last_));
  }

  const auto permutants = static_cast<std::uint32_t>(stored.permutants.count);
  // Distances to permutants and to strings take turns in the same memory.
  const std::uint64_t distances =
      std::max(std::uint64_t{to_permutants_.chunk()} * permutants, chunk * stored.strings.count) * 4;
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
  scratch_bytes_ = selection_offset_ + align_scratch(selection_bytes);

  RehearsalBuffer nowhere(UINT64_MAX);
  Rehearsal rehearsal(device);
  record(rehearsal, {nowhere, nowhere, nowhere, nowhere, nowhere});
}

PermutationSearch::Selections PermutationSearch::selections(Device& device,
                                                            std::uint32_t queries) const {
  SelectionDescription description;
  description.rows = queries;
  description.columns = stored_.strings.count;
  description.k = description_.candidates;
  description.sorted = false;
  description.scratch_limit =
      std::max(description_.strings.scratch_limit / 4, smallest_selection_scratch);
  SelectionDescription results = description;
  results.k = description_.strings.k;
  results.sorted = true;
  return {SelectionPlan::make(device, description), SelectionPlan::make(device, results)};
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
    pass.object_stride = permutants;
    pass.permutant_stride = 1;
    recording.record(passes::make_permutations(pass));
  }
}

void PermutationSearch::record_chunk(Recording& recording, const StringSearchBuffers& buffers,
                                     const StringAddresses& at, std::uint32_t first,
                                     std::uint32_t count) const {
  const std::uint64_t strings = stored_.strings.count;
  const StringSearchDescription& wanted = description_.strings;
  const Selections& select = count == to_candidates_.chunk() ? *select_ : *select_last_;
  passes::PermutationDistanceParameters distance{};
  distance.positions = stored_.positions.address();
  distance.query_positions = buffers.scratch.address() + positions_offset_;
  distance.distances = at.distances;
  distance.objects = static_cast<std::uint32_t>(strings);
  distance.permutants = static_cast<std::uint32_t>(stored_.permutants.count);
  distance.first_query = first;
  recording.record(passes::make_permutation_distance(distance, stored_.distance, groups_, count));
  recording.barrier();

  const BufferView distances = buffers.scratch.part(distances_offset_, count * strings * 4);
  const std::uint64_t list = count * description_.candidates * 4;
  SelectionBuffers selection;
  selection.values = distances;
  selection.scratch = buffers.scratch.part(selection_offset_, scratch_bytes_ - selection_offset_);
  selection.indices = buffers.scratch.part(candidates_offset_, list);
  selection.selected = buffers.scratch.part(selected_offset_, list);
  select.candidates.record(recording, selection);
  recording.barrier();

  // Strings that are no candidates are NaN, behind all that are.
  recording.fill(distances, 0xFF);
  recording.barrier();
  to_candidates_.record(recording, at, first, count,
                        buffers.scratch.address() + candidates_offset_);
  recording.barrier();
  selection.indices = buffers.indices.part(first * wanted.k * 4, count * wanted.k * 4);
  selection.selected = buffers.distances.part(first * wanted.k * 4, count * wanted.k * 4);
  select.results.record(recording, selection);
}

void PermutationSearch::record(Recording& recording, const StringSearchBuffers& buffers) const {
  const std::uint64_t scratch = buffers.scratch.address();
  const StringAddresses at{buffers.offsets.address(), scratch, scratch + carries_offset_,
                           scratch + distances_offset_};
  recording.push_label("permutations");
  to_candidates_.record_tables(recording, buffers.symbols.address(), at);
  record_permutations(recording, buffers, at);
  recording.pop_label();
  recording.push_label("candidates");
  const std::uint32_t chunk = to_candidates_.chunk();
  for (std::uint32_t first = 0; first < description_.strings.queries; first += chunk) {
    recording.barrier();
    record_chunk(recording, buffers, at, first,
                 std::min(chunk, description_.strings.queries - first));
  }
  recording.pop_label();
}

}  // namespace proxel::strings
