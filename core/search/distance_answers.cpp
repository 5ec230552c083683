#include "search/distance_answers.hpp"

#include <algorithm>

#include "passes/decoded_distance.hpp"
#include "passes/order.hpp"
#include "search/check.hpp"
#include "search/occupancy.hpp"
#include "search/range_matches.hpp"

namespace proxel::search {
namespace {

class Nearest final : public DistanceAnswers {
 public:
  Nearest(Device& device, const AnswerDescription& description)
      : k_(description.k), chunk_(description.chunk), select_(plan(device, description, description.chunk)) {
    if (const std::uint32_t left = description.queries % description.chunk; left != 0)
      select_last_ = plan(device, description, left);
  }

  std::uint64_t scratch_bytes() const override {
    return std::max(select_.scratch_bytes(), select_last_ ? select_last_->scratch_bytes() : 0);
  }
  void record_begin(Recording&, const AnswerBuffers&) const override {}
  void record_end(Recording&, const AnswerBuffers&) const override {}
  void record_chunk(Recording& recording, const BufferView& values, std::uint32_t first, std::uint32_t count,
                    const AnswerBuffers& buffers) const override {
    SelectionBuffers selection;
    selection.values = values;
    selection.payload = buffers.numbers;
    selection.scratch = buffers.scratch;
    selection.indices = buffers.indices.part(first * k_ * 4, count * k_ * 4);
    selection.selected = buffers.distances.part(first * k_ * 4, count * k_ * 4);
    (count == chunk_ ? select_ : *select_last_).record(recording, selection);
  }

 private:
  static SelectionPlan plan(Device& device, const AnswerDescription& description, std::uint32_t queries) {
    constexpr std::uint64_t smallest_limit = std::uint64_t{1} << 20;
    SelectionDescription selection;
    selection.rows = queries;
    selection.columns = description.objects;
    selection.row_stride = description.stride;
    selection.k = description.k;
    selection.method = description.selection;
    selection.has_payload = description.listed;
    selection.scratch_limit = std::max(description.scratch_limit, smallest_limit);
    return SelectionPlan::make(device, selection);
  }

  std::uint64_t k_;
  std::uint32_t chunk_;
  SelectionPlan select_;
  std::optional<SelectionPlan> select_last_;
};

class Within final : public DistanceAnswers {
 public:
  Within(const Device& device, const AnswerDescription& description)
      : stride_(static_cast<std::uint32_t>(description.stride)),
        listed_(description.listed),
        list_stride_(static_cast<std::uint32_t>(description.list_stride)) {
    matches_.queries = description.queries;
    matches_.rows = description.objects;
    matches_.limit = passes::distance_key(*description.radius, false);
    if (description.keys_of) {
      content_ = passes::range_keys;
      matches_.limit = limit_key(*description.keys_of, *description.radius);
      matches_.largest_first = largest_first(accumulated(*description.keys_of));
      matches_.finish = passes::finish_of(*description.keys_of);
    }
    matches_.wanted_groups = wanted_groups(device.capabilities());
  }

  // What counting counts, and how many have been written.
  std::uint64_t scratch_bytes() const override { return 2 * RangeMatches::scratch_bytes(matches_.queries); }
  void record_begin(Recording& recording, const AnswerBuffers& buffers) const override {
    counted(buffers).record_reset(recording);
    written(buffers).record_reset(recording);
  }
  void record_chunk(Recording& recording, const BufferView& values, std::uint32_t first, std::uint32_t count,
                    const AnswerBuffers& buffers) const override {
    RangeChunk chunk;
    chunk.keys = values.address();
    chunk.keys_stride = stride_;
    chunk.content = content_;
    chunk.first_query = first;
    chunk.queries = count;
    chunk.columns = static_cast<std::uint32_t>(matches_.rows);
    if (listed_) {
      chunk.rows = buffers.numbers.address();
      chunk.rows_stride = list_stride_;
    }
    counted(buffers).record_count(recording, chunk);
    recording.barrier();
    counted(buffers).record_offsets(recording, first, count);
    recording.barrier();
    written(buffers).record_write(recording, chunk);
  }
  void record_end(Recording& recording, const AnswerBuffers& buffers) const override {
    written(buffers).record_sort(recording);
  }

 private:
  RangeMatches in(const AnswerBuffers& buffers, std::uint64_t turn) const {
    RangeMatches matches = matches_;
    const std::uint64_t bytes = RangeMatches::scratch_bytes(matches.queries);
    matches.counters = buffers.scratch.part(turn * bytes, bytes);
    matches.offsets = buffers.offsets;
    matches.indices = buffers.indices;
    matches.distances = buffers.distances;
    return matches;
  }
  RangeMatches counted(const AnswerBuffers& buffers) const { return in(buffers, 0); }
  RangeMatches written(const AnswerBuffers& buffers) const { return in(buffers, 1); }

  std::uint32_t stride_;
  bool listed_;
  std::uint32_t list_stride_;
  std::uint32_t content_ = passes::range_values;
  RangeMatches matches_;
};

}  // namespace

std::unique_ptr<DistanceAnswers> DistanceAnswers::make(Device& device, const AnswerDescription& description) {
  if (description.radius) return std::make_unique<Within>(device, description);
  return std::make_unique<Nearest>(device, description);
}

}  // namespace proxel::search
