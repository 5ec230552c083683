#include "strings/string_search.hpp"

#include <algorithm>
#include <cstring>

#include "index/run_once.hpp"
#include "search/check.hpp"
#include "search/occupancy.hpp"
#include "search/rehearsal.hpp"

namespace proxel::strings {

using namespace search;

namespace {

constexpr std::uint32_t workgroup = 128;  // strings that a workgroup takes at a time
// A workgroup serves several tiles of strings, so that its table is worth staging.
constexpr std::uint32_t tiles_per_group = 8;
constexpr std::uint64_t smallest_selection_scratch = std::uint64_t{1} << 20;

std::uint32_t words_of(std::uint64_t longest_query) {
  return static_cast<std::uint32_t>(std::max<std::uint64_t>(divide_up<std::uint64_t>(longest_query, 32), 1));
}

std::uint64_t table_bytes(std::uint32_t words, std::uint32_t alphabet) {
  return std::uint64_t{words} * alphabet * 4;
}

}  // namespace

StoredStrings::StoredStrings(Device& device, const PackedStrings& packed, const Alphabet& symbols_of)
    // Without any symbol a table has one that stands nowhere.
    : count(packed.lengths.size()), alphabet(std::max(symbols_of.size(), 1u)),
      longest(packed.lengths.back()), symbol_bytes(packed.symbol_bytes) {
  const auto bring = [&](const std::vector<std::uint32_t>& from) {
    const std::uint64_t bytes = from.size() * 4;
    const auto staging = device.create_buffer(bytes, MemoryKind::upload);
    std::memcpy(staging->mapped(), from.data(), bytes);
    auto buffer = device.create_buffer(bytes, MemoryKind::device);
    index::run_once(device, [&](Recording& recording) { recording.copy(*staging, *buffer); });
    return buffer;
  };
  symbols = bring(packed.symbols);
  block_lines = bring(packed.block_lines);
  lengths = bring(packed.lengths);
  numbers = bring(packed.numbers);
}

std::uint32_t StringSearch::queries_at_once(const StoredStrings& strings,
                                            std::uint64_t longest_query,
                                            std::uint64_t scratch_limit) {
  const std::uint64_t fitting =
      scratch_limit / 4 / table_bytes(words_of(longest_query), strings.alphabet);
  return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(fitting, 1, 1u << 20));
}

StringSearch::StringSearch(Device& device, const StoredStrings& strings,
                           const StringSearchDescription& description)
    : strings_(strings), description_(description), words_(words_of(description.longest_query)) {
  const Capabilities& capabilities = device.capabilities();
  const std::uint64_t limit = description.scratch_limit;
  const std::uint64_t row_bytes = strings.count * 4;
  chunk_ = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(
      limit / 4 / row_bytes, 1, std::min(description.queries, largest_grid_extent)));
  const std::uint64_t tiles = divide_up<std::uint64_t>(strings.count, workgroup);
  groups_ = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(
      std::max<std::uint64_t>(divide_up<std::uint64_t>(8 * wanted_groups(capabilities), chunk_), tiles / tiles_per_group / 8),
      1, std::min<std::uint64_t>(tiles, largest_grid_extent)));

  // Queries past one strip of words leave differences for the next.
  const bool strips = words_ > passes::levenshtein_strip;
  const std::uint64_t group_carries =
      strips ? divide_up<std::uint64_t>(std::max(strings.longest, 1u), 32) * 2 * workgroup * 4 : 0;
  while (group_carries * groups_ * chunk_ > limit / 4 && groups_ * chunk_ > 1)
    if (groups_ > 1) groups_ = divide_up(groups_, 2u);
    else chunk_ = divide_up(chunk_, 2u);

  SelectionDescription selection;
  selection.columns = strings.count;
  selection.k = description.k;
  selection.scratch_limit = std::max(limit / 4, smallest_selection_scratch);
  selection.rows = chunk_;
  select_ = SelectionPlan::make(device, selection);
  std::uint64_t selection_bytes = select_->scratch_bytes();
  if (const std::uint32_t left = description.queries % chunk_; left != 0) {
    selection.rows = left;
    select_last_ = SelectionPlan::make(device, selection);
    selection_bytes = std::max(selection_bytes, select_last_->scratch_bytes());
  }

  carries_offset_ = align_scratch(description.queries * table_bytes(words_, strings.alphabet));
  distances_offset_ = carries_offset_ + align_scratch(group_carries * groups_ * chunk_);
  selection_offset_ = distances_offset_ + align_scratch(chunk_ * row_bytes);
  scratch_bytes_ = selection_offset_ + align_scratch(std::max<std::uint64_t>(selection_bytes, 1));

  RehearsalBuffer nowhere(UINT64_MAX);
  Rehearsal rehearsal(device);
  record(rehearsal, {nowhere, nowhere, nowhere, nowhere, nowhere});
}

void StringSearch::record_distances(Recording& recording, const StringSearchBuffers& buffers,
                                    std::uint32_t first, std::uint32_t count) const {
  const std::uint64_t scratch = buffers.scratch.address();
  passes::LevenshteinParameters pass{};
  pass.symbols = strings_.symbols->address();
  pass.block_lines = strings_.block_lines->address();
  pass.lengths = strings_.lengths->address();
  pass.numbers = strings_.numbers->address();
  pass.tables = scratch + first * table_bytes(words_, strings_.alphabet);
  pass.offsets = buffers.offsets.address() + std::uint64_t{first} * 4;
  pass.carries = scratch + carries_offset_;
  pass.distances = scratch + distances_offset_;
  pass.string_count = static_cast<std::uint32_t>(strings_.count);
  pass.alphabet = strings_.alphabet;
  pass.words = words_;
  pass.carry_words = divide_up(std::max(strings_.longest, 1u), 32u);
  recording.record(passes::make_levenshtein(pass, strings_.symbol_bytes, groups_, count));
}

void StringSearch::record(Recording& recording, const StringSearchBuffers& buffers) const {
  recording.push_label("strings");
  passes::StringTablesParameters tables{};
  tables.symbols = buffers.symbols.address();
  tables.offsets = buffers.offsets.address();
  tables.tables = buffers.scratch.address();
  tables.query_count = description_.queries;
  tables.alphabet = strings_.alphabet;
  tables.words = words_;
  recording.record(passes::make_string_tables(tables));
  for (std::uint32_t first = 0; first < description_.queries; first += chunk_) {
    const std::uint32_t count = std::min(chunk_, description_.queries - first);
    // The distances before have been selected from.
    recording.barrier();
    record_distances(recording, buffers, first, count);
    recording.barrier();
    const std::uint64_t slots = count * description_.k * 4;
    const std::uint64_t done = first * description_.k * 4;
    const SelectionPlan& select = count == chunk_ ? *select_ : *select_last_;
    SelectionBuffers selection;
    selection.values = buffers.scratch.part(distances_offset_, count * strings_.count * 4);
    selection.scratch = buffers.scratch.part(selection_offset_, scratch_bytes_ - selection_offset_);
    selection.indices = buffers.indices.part(done, slots);
    selection.selected = buffers.distances.part(done, slots);
    select.record(recording, selection);
  }
  recording.pop_label();
}

}  // namespace proxel::strings
