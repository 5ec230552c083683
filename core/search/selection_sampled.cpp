#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "proxel/passes/sample_bound.h"
#include "proxel/passes/sample_list.h"
#include "proxel/passes/sample_select.h"
#include "proxel/passes/selection.hpp"
#include "search/check.hpp"
#include "search/occupancy.hpp"
#include "search/rehearsal.hpp"
#include "search/selection_blocks.hpp"
#include "search/selection_times.hpp"

namespace proxel::search {
namespace {

// Values of the sample among the k smallest, where a workgroup can hold so many: those up to its bound are then
// between k and twice as many.
constexpr std::uint64_t sampled_neighbors = 256;
// Standard deviations of their number that the bound is above it.
constexpr double deviations = 5;
// The same of a list's length, that there is room for: where a four's values are alike, deviations are twice as large.
constexpr double room_deviations = 10;
// Room for a few more than that.
constexpr std::uint64_t spare_room = 16;
// Neighbours up to which the keys of a row's lists are counted in 32 bits, and those of a list that runs are merged of.
constexpr std::uint64_t most_sampled_neighbors = std::uint64_t{1} << 30;
constexpr std::uint64_t longest_list = std::uint64_t{1} << 31;
// Keys that are sorted at once. Longer runs leave room for fewer workgroups: through Vulkan 1,024 rows took 14 % longer with 2,048.
constexpr std::uint32_t long_run = 1024;
constexpr std::uint32_t short_run = 512;
constexpr std::uint32_t widest_ordering = 512;
constexpr std::uint32_t narrowest_ordering = 64;
constexpr std::uint32_t wide_sampling = 512;
constexpr std::uint32_t narrow_sampling = 128;
// Of how many fours one is sampled at most, where rows are many.
constexpr std::uint64_t fours_per_sampled = 16;
// Workgroups that list, and the share of values that are listed from which on they are narrow, so that all of a chunk have room.
constexpr std::uint32_t wide_listing = 256;
constexpr std::uint32_t narrow_listing = 64;
constexpr double dense_listing = 0.1;

// How a row is sampled and listed.
struct Sampling {
  Pool pool;                   // of sample_bound
  std::uint32_t listing = 0;   // workgroup of sample_list
  std::uint32_t ordering = 0;  // of sample_select
  std::uint32_t run = 0;       // keys that it sorts at once
  bool alone = false;          // a workgroup of sample_select does all of a row
  std::uint32_t parts = 1;
  std::uint32_t step = 1, rank = 1;
  std::uint32_t room = 0;  // keys of a part
  std::uint32_t segment_fours = 0;
};

// Of few keys streaming is sooner than a workgroup that samples. Where there is no room for the largest sample's pool, nothing is shared.
bool lists_alone(const Device& device, const SelectionDescription& description) {
  constexpr std::uint32_t largest_pool = 2048;
  const Capabilities& capabilities = device.capabilities();
  return capabilities.runs_on_host || passes::pool_shared_bytes(largest_pool) > capabilities.shared_memory_bytes ||
         (description.k > most_streamed &&
          sample_milliseconds_alone(device, description) < sample_milliseconds_shared(device, description));
}

Sampling choose_sampling(const Device& device, const SelectionDescription& description) {
  const Capabilities& capabilities = device.capabilities();
  // A row that does not begin at a multiple of 16 bytes may have one four more.
  const std::uint64_t fours = passes::divide_up(description.columns + 3, 4);
  const std::uint64_t k = description.k;
  Sampling sampling;
  const std::uint32_t widest = std::bit_floor(capabilities.max_workgroup_size);
  sampling.ordering = std::min(widest_ordering, widest);
  const bool roomy = passes::sample_select_shared_bytes(long_run) <= capabilities.shared_memory_bytes;
  sampling.run = roomy ? long_run : short_run;

  sampling.alone = lists_alone(device, description);
  const std::uint64_t parts = sampling.alone ? 1 : sample_parts(device, description);
  const std::uint64_t neighbors = std::max(sampled_neighbors, parts * sampled_of_part);
  // Few rows keep the device waiting however small their samples are; of many more run at a time where they are no larger than they need
  // be.
  const bool many = description.rows > known_multiprocessors(capabilities);
  const std::uint64_t sampled =
      many ? std::clamp<std::uint64_t>(fours / fours_per_sampled, 1, most_sampled_fours) : most_sampled_fours;
  const std::uint64_t step = std::max(k / neighbors, sampling.alone ? 1 : passes::divide_up(fours, sampled));
  const double expected = static_cast<double>(k) / static_cast<double>(step);
  sampling.parts = static_cast<std::uint32_t>(parts);
  sampling.step = static_cast<std::uint32_t>(step);
  sampling.rank = static_cast<std::uint32_t>(
      std::max(parts, static_cast<std::uint64_t>(expected + deviations * std::sqrt(expected)) + 1));
  sampling.pool =
      choose_pool(capabilities, sampling.rank, many ? narrow_sampling : wide_sampling, passes::pool_shared_bytes, 2);
  const double of_part = static_cast<double>(sampling.rank) / static_cast<double>(parts) + 1;
  const double most_listed = static_cast<double>(step) * (of_part + room_deviations * std::sqrt(of_part));
  const std::uint64_t expected_room = std::min(static_cast<std::uint64_t>(most_listed), description.columns);
  sampling.room = static_cast<std::uint32_t>(
      std::min(std::max(passes::divide_up(k, parts), expected_room) + spare_room, longest_list));

  // A workgroup has room for what is listed of its segment, as a rule.
  const double listed = static_cast<double>(step) * sampling.rank / static_cast<double>(description.columns);
  sampling.listing = std::min(listed < dense_listing ? wide_listing : narrow_listing, widest);
  const std::uint64_t at_once = std::uint64_t{sampling.listing} * passes::listed_fours;
  const auto roomy_fours = static_cast<std::uint64_t>(passes::listed_at_once / 2 / (4 * listed));
  const std::uint64_t segments = passes::divide_up(wanted_groups(capabilities), description.rows);
  const std::uint64_t busy = passes::divide_up(passes::divide_up(fours, at_once), segments);
  const std::uint64_t least = passes::divide_up(fours, at_once * largest_grid_extent);
  const std::uint64_t chunks = std::max(std::clamp<std::uint64_t>(roomy_fours / at_once, 1, busy), least);
  sampling.segment_fours = static_cast<std::uint32_t>(chunks * at_once);
  return sampling;
}

// The passes over rows whose scratch memory lies at an address: lists, then bounds, then counters.
struct SampledRows {
  passes::SampleBoundParameters bound{};
  passes::SampleListParameters list{};
  passes::SampleSelectParameters select{};

  SampledRows(const Sampling& sampling, const passes::SelectionRows& rows, const passes::SelectionResult& result,
              std::uint64_t scratch) {
    const std::uint32_t parts = sampling.parts, room = sampling.room;
    const std::uint64_t bounds = scratch + rows.rows * list_bytes(sampling);
    const std::uint64_t counters = bounds + std::uint64_t{rows.rows} * parts * key_bytes;
    bound = {rows, bounds, counters, sampling.step, sampling.rank, parts, 0};
    list = {rows, bounds, counters, scratch, parts, room, sampling.segment_fours, 0};
    select = {rows, result, sampling.alone ? 0 : counters, scratch, parts, room, sampling.step, sampling.rank};
  }

  static std::uint64_t list_bytes(const Sampling& sampling) { return 2 * key_bytes * sampling.parts * sampling.room; }
  static std::uint64_t row_bytes(const Sampling& sampling) {
    return list_bytes(sampling) + sampling.parts * (key_bytes + sizeof(std::uint32_t));
  }
};

// Calls use(pass) with the passes over rows, each to be behind the one before.
template <typename Use>
void each_pass(const Sampling& sampling, const SampledRows& sampled, bool largest_first, const Use& use) {
  if (!sampling.alone) {
    use(passes::make_sample_bound(sampled.bound, largest_first, sampling.pool.workgroup, sampling.pool.capacity));
    use(passes::make_sample_list(sampled.list, largest_first, sampling.listing));
  }
  use(passes::make_sample_select(sampled.select, largest_first, sampling.run, sampling.ordering));
}

class Sampled : public SelectionAlgorithm {
 public:
  Sampled(const SelectionDescription& description, const Sampling& sampling)
      : SelectionAlgorithm(description, SelectionMethod::sample_select), sampling_(sampling) {
    const std::uint64_t row_bytes = SampledRows::row_bytes(sampling);
    block_rows_ = rows_at_once(description, row_bytes);
    scratch_bytes_ = align_scratch(block_rows_ * row_bytes);
  }

  std::uint64_t scratch_bytes() const override { return scratch_bytes_; }

  void record(Recording& recording, const SelectionBuffers& buffers) const override {
    for_row_blocks(description_, buffers, block_rows_,
                   [&](const passes::SelectionRows& rows, const passes::SelectionResult& result) {
      const SampledRows sampled(sampling_, rows, result, buffers.scratch.address());
      bool first = true;
      each_pass(sampling_, sampled, description_.largest_first, [&](const Pass& pass) {
        if (!first) recording.barrier();
        first = false;
        recording.record(pass);
      });
    }, [&] { recording.barrier(); });
  }

 private:
  Sampling sampling_;
  std::uint64_t block_rows_ = 1;
  std::uint64_t scratch_bytes_ = 0;
};

}  // namespace

Support sample_select_supports(const Device& device, const SelectionDescription& description) {
  if (description.k > most_sampled_neighbors)
    return Support::no(Limit::neighbors,
                       fmt::format("k is {}, and sampling selects up to {}", description.k, most_sampled_neighbors));
  if (description.k > description.columns)
    return Support::no(Limit::neighbors,
                       fmt::format("sampling selects no more than there are; there are {} columns and k is {}",
                                   description.columns, description.k));
  const Sampling sampling = choose_sampling(device, description);
  if (sampling.ordering < narrowest_ordering) return Support::no("sampling needs workgroups of 64 invocations");
  Support support = sampling.alone ? Support::yes() : pool_support(sampling.pool, sampling.rank);
  if (!support) return support;
  passes::SelectionRows rows{};
  rows.rows = rows.columns = 1;
  each_pass(sampling, SampledRows(sampling, rows, {}, 0), description.largest_first, [&](const Pass& pass) {
    if (support) support = device.supports(pass);
  });
  return support;
}

double sample_select_milliseconds(const Device& device, const SelectionDescription& description) {
  return lists_alone(device, description) ? sample_milliseconds_alone(device, description)
                                          : sample_milliseconds_shared(device, description);
}

std::unique_ptr<const SelectionAlgorithm> make_sample_select(Device& device, const SelectionDescription& description) {
  auto made = std::make_unique<Sampled>(description, choose_sampling(device, description));
  rehearse(device, *made);
  return made;
}

}  // namespace proxel::search
