#include "permutation/candidate_search.hpp"

#include <algorithm>
#include <bit>
#include <optional>

#include "passes/grids.hpp"
#include "proxel/passes/counting_select.h"
#include "proxel/passes/permutation_distance.h"
#include "search/check.hpp"
#include "search/occupancy.hpp"

namespace proxel::permutation {

using namespace search;

namespace {

constexpr std::uint64_t smallest_selection_scratch = std::uint64_t{1} << 20;

constexpr std::uint64_t rounded_up(std::uint64_t value, std::uint64_t to) { return (value + to - 1) / to * to; }

std::uint32_t largest_distance(const StoredPositions& stored) {
  return passes::largest_permutation_distance(static_cast<std::uint32_t>(stored.distance), stored.permutants);
}

// As whole numbers; more than the largest has to fit, because of what stands behind the last.
std::uint32_t number_bytes(const StoredPositions& stored) { return largest_distance(stored) < 0xFFFF ? 2 : 4; }

// Counters for the numbers up to the largest, or for ranges of them.
struct Counting {
  std::uint32_t workgroup = 0;
  std::uint32_t counters = 0;
};

// Few rows keep a device busy with wide workgroups alone; Vulkan's are no wider than other
// passes have found to be right (docs/lab/selection.md).
Counting choose_counting(const Device& device, std::uint32_t rows, std::uint32_t largest) {
  const Capabilities& capabilities = device.capabilities();
  const std::uint32_t each = divide_up(known_multiprocessors(capabilities) * 2048, std::max(rows, 1u));
  const std::uint32_t widest = capabilities.runs_on_host                    ? 128
                               : device.info().backend == BackendKind::cuda ? 1024
                                                                            : 512;
  // The footrules of 128 permutants one by one; more would leave workgroups no room beside
  // each other.
  constexpr std::uint32_t most_counters = 8193;
  Counting counting;
  counting.workgroup =
      std::min({std::max(std::bit_ceil(each), 256u), widest, std::bit_floor(capabilities.max_workgroup_size)});
  const std::uint32_t beside = passes::counting_shared_bytes(0, counting.workgroup);
  const std::uint32_t fitting = (capabilities.shared_memory_bytes - beside) / 4;
  counting.counters = std::min({largest + 1, most_counters, fitting});
  return counting;
}

Pass counting_pass(const Device& device, const passes::CountingSelectParameters& parameters,
                   const StoredPositions& stored) {
  const Counting counting = choose_counting(device, parameters.rows, parameters.largest);
  return passes::make_counting_select(parameters, number_bytes(stored), counting.counters, counting.workgroup);
}

// A workgroup of its own for each query.
bool counts(const Device& device, const StoredPositions& stored, const PermutationSearchDescription& description) {
  if (description.selection != SelectionMethod::automatic) return false;
  // Few workgroups are slow over long rows.
  constexpr std::uint64_t worth_sharing = std::uint64_t{1} << 18;
  const Capabilities& capabilities = device.capabilities();
  if (stored.objects > worth_sharing && description.queries < known_multiprocessors(capabilities) &&
      !capabilities.runs_on_host)
    return false;
  passes::CountingSelectParameters any{};
  any.rows = any.columns = any.k = 1;  // the widest workgroup
  any.largest = largest_distance(stored);
  return device.supports(counting_pass(device, any, stored)).supported;
}

class Search : public CandidateSearch {
 public:
  Search(const Device& device, const StoredPositions& stored, const PermutationSearchDescription& description,
         std::uint32_t chunk, std::uint32_t content)
      : stored_(stored), description_(description), chunk_(chunk), content_(content) {
    const std::uint64_t tile = passes::common_workgroup * passes::permutation_objects_at_once;
    const std::uint64_t tiles = divide_up(stored.objects, tile);
    const std::uint32_t query_tiles = divide_up(chunk, passes::permutation_tile_queries);
    groups_ = static_cast<std::uint32_t>(
        std::clamp<std::uint64_t>(divide_up(8 * wanted_groups(device.capabilities()), query_tiles), 1,
                                  std::min<std::uint64_t>(tiles, largest_grid_extent)));
  }

  std::uint64_t distance_bytes() const override { return chunk_ * stride() * bytes(); }

 protected:
  /// Bytes of a distance; and how many distances lie from one query to the next, a multiple of 16 bytes.
  std::uint32_t bytes() const { return content_ == passes::permutation_two_bytes ? 2 : 4; }
  std::uint64_t stride() const { return rounded_up(stored_.objects, 16 / bytes()); }
  std::uint32_t chunk() const { return chunk_; }
  const StoredPositions& stored() const { return stored_; }
  const PermutationSearchDescription& description() const { return description_; }

  void record_distances(Recording& recording, const Memory& memory, std::uint32_t first, std::uint32_t count) const {
    passes::PermutationDistanceParameters distance{};
    distance.positions = stored_.positions->address();
    distance.query_positions = memory.query_positions;
    distance.distances = memory.distances.address();
    distance.objects = static_cast<std::uint32_t>(stored_.objects);
    distance.permutants = stored_.permutants;
    distance.first_query = first;
    distance.query_count = count;
    distance.distance_stride = static_cast<std::uint32_t>(stride());
    recording.record(passes::make_permutation_distance(distance, stored_.distance, content_, groups_));
    recording.barrier();
  }

 private:
  const StoredPositions& stored_;
  PermutationSearchDescription description_;
  std::uint32_t chunk_;
  std::uint32_t content_;
  std::uint32_t groups_ = 1;
};

class ByCounting final : public Search {
 public:
  ByCounting(const Device& device, const StoredPositions& stored, const PermutationSearchDescription& description,
             std::uint32_t chunk)
      : Search(device, stored, description, chunk, number_bytes(stored)),
        device_(device),
        list_stride_(choose_way(device, stored, description).list_stride) {}

  std::uint64_t scratch_bytes() const override { return 0; }
  void record(Recording& recording, const Memory& memory, std::uint32_t first, std::uint32_t count) const override {
    record_distances(recording, memory, first, count);
    passes::CountingSelectParameters select{};
    select.numbers = memory.distances.address();
    select.columns_found = memory.lists.address();
    select.rows = count;
    select.columns = static_cast<std::uint32_t>(stored().objects);
    select.row_stride = static_cast<std::uint32_t>(stride());
    select.found_stride = list_stride_;
    select.k = static_cast<std::uint32_t>(description().candidates);
    select.largest = largest_distance(stored());
    recording.record(counting_pass(device_, select, stored()));
  }

 private:
  const Device& device_;
  std::uint32_t list_stride_;
};

class BySelection final : public Search {
 public:
  BySelection(Device& device, const StoredPositions& stored, const PermutationSearchDescription& description,
              std::uint32_t chunk)
      : Search(device, stored, description, chunk, passes::permutation_binary32), select_(plan(device, chunk)) {
    if (const std::uint32_t left = description.queries % chunk; left != 0) select_last_ = plan(device, left);
    selected_bytes_ = align_scratch(chunk * description.candidates * 4);
  }

  std::uint64_t scratch_bytes() const override {
    return selected_bytes_ + std::max(select_.scratch_bytes(), select_last_ ? select_last_->scratch_bytes() : 0);
  }
  void record(Recording& recording, const Memory& memory, std::uint32_t first, std::uint32_t count) const override {
    record_distances(recording, memory, first, count);
    const std::uint64_t list = count * description().candidates * 4;
    SelectionBuffers selection;
    selection.values = memory.distances.part(0, count * stride() * 4);
    selection.scratch = memory.scratch.part(selected_bytes_, memory.scratch.bytes - selected_bytes_);
    selection.indices = memory.lists.part(0, list);
    selection.selected = memory.scratch.part(0, list);
    (count == chunk() ? select_ : *select_last_).record(recording, selection);
  }

 private:
  SelectionPlan plan(Device& device, std::uint32_t queries) const {
    SelectionDescription selection;
    selection.rows = queries;
    selection.columns = stored().objects;
    selection.row_stride = stride();
    selection.k = description().candidates;
    selection.sorted = false;
    selection.method = description().selection;
    selection.scratch_limit = std::max(description().scratch_limit / 4, smallest_selection_scratch);
    return SelectionPlan::make(device, selection);
  }

  SelectionPlan select_;
  std::optional<SelectionPlan> select_last_;
  std::uint64_t selected_bytes_ = 0;
};

}  // namespace

CandidateWay choose_way(const Device& device, const StoredPositions& stored,
                        const PermutationSearchDescription& description) {
  CandidateWay way;
  way.counting = counts(device, stored, description);
  way.list_stride =
      static_cast<std::uint32_t>(way.counting ? rounded_up(description.candidates, 4) : description.candidates);
  const std::uint64_t bytes = stored.objects * (way.counting ? number_bytes(stored) : 4) + way.list_stride * 8;
  const auto most =
      static_cast<std::uint32_t>(std::clamp<std::uint64_t>(description.scratch_limit / (way.counting ? 2 : 8) / bytes,
                                                           1, std::min(description.queries, largest_grid_extent)));
  // Each time takes as many, but for the last.
  way.most_queries = divide_up(description.queries, divide_up(description.queries, most));
  return way;
}

std::unique_ptr<const CandidateSearch> CandidateSearch::make(Device& device, const StoredPositions& stored,
                                                             const PermutationSearchDescription& description,
                                                             std::uint32_t chunk) {
  if (choose_way(device, stored, description).counting)
    return std::make_unique<ByCounting>(device, stored, description, chunk);
  return std::make_unique<BySelection>(device, stored, description, chunk);
}

}  // namespace proxel::permutation
