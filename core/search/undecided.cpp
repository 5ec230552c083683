#include "search/undecided.hpp"

#include <algorithm>

#include "search/check.hpp"
#include "search/decode.hpp"

namespace proxel::search {
namespace {

// Undecided queries that one rescue serves at most.
constexpr std::uint64_t most_rescue_lists = 4096;

}  // namespace

RescueSize rescue_size(const Device& device, const SearchDescription& description) {
  const std::uint32_t multiprocessors = std::max(device.capabilities().multiprocessors, 16u);
  RescueSize size;
  size.lists = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(
      description.scratch_limit / 8 / (description.k * key_bytes), 1,
      std::min<std::uint64_t>(most_rescue_lists, std::max<std::uint64_t>(description.queries, 4 * multiprocessors))));
  size.workgroups = std::min(size.lists, 8 * multiprocessors);
  return size;
}

std::uint64_t sum_of_told(const Buffer& told, std::uint64_t places) {
  const auto* counts = static_cast<const std::uint32_t*>(told.mapped());
  std::uint64_t sum = 0;
  // The third word of a place counts queries that the second counts.
  for (std::uint64_t place = 0; place < places; ++place, counts += told_bytes / sizeof *counts)
    sum += counts[0] + counts[1];
  return sum;
}

void empty_undecided(Recording& recording, const BufferView& memory, std::uint64_t list, std::uint32_t lists) {
  const std::uint64_t tickets = passes::undecided_ticket_bytes(lists);
  recording.fill(memory.part(list - tickets, tickets + 16), 0);
}

void record_undecided(Recording& recording, const SearchDescription& description, const RowsSegment& segment,
                      const UndecidedQueries& undecided) {
  passes::ScanUndecidedParameters scan{};
  scan.rows = segment.rows;
  scan.queries = undecided.queries;
  scan.tickets = undecided.numbers - passes::undecided_ticket_bytes(undecided.list_count);
  scan.few = undecided.few;
  scan.most_few = undecided.most_few;
  scan.found = undecided.lists;
  scan.indices = undecided.indices;
  scan.distances = undecided.distances;
  scan.result_stride = static_cast<std::uint32_t>(description.k);
  scan.dimensions = description.dimensions;
  scan.first_index = static_cast<std::uint32_t>(segment.first_index);
  scan.filter_bits = undecided.filter;
  scan.filter_stride = undecided.filter_stride;
  scan.lists = undecided.list_count;
  scan.finish = finish_of(description);

  const auto k = static_cast<std::uint32_t>(description.k);
  const std::uint32_t round = undecided.round == 0 ? k : undecided.round;
  scan.told = undecided.told;
  for (std::uint32_t first = 0; first < undecided.count; first += undecided.list_count)
    for (std::uint32_t rank = 0; rank < k; rank += round) {
      if (first != 0 || rank != 0) recording.barrier();
      scan.first_undecided = first;
      scan.first_rank = rank;
      scan.k = std::min(round, k - rank);
      recording.record(passes::make_scan_undecided(scan, description.metric, undecided.workgroups));
      scan.told = 0;
    }
}

}  // namespace proxel::search
