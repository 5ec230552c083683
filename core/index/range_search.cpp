#include "index/range_search.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "index/compute_times.hpp"
#include "index/plan_range.hpp"
#include "index/upload.hpp"

namespace proxel::index {
namespace {

// Neighbours of a block that are on the device at once; a block with more is split.
constexpr std::uint64_t most_slots = std::uint64_t{1} << 25;

// One block of queries: what it is asked with, and its memory.
class Block {
 public:
  Block(Storage& storage, const RangeDescription& description, Timing timing)
      : storage_(storage), description_(description), timing_(timing),
        plan_(plan_range(storage, description)), commands_(storage.device().create_commands(timing)) {}

  // Uploads the queries, counts their neighbours and leaves the offsets.
  void count(const MatrixView<float>& queries, const MatrixView<std::uint32_t>& filter,
             SearchTimes& times) {
    Device& device = storage_.device();
    const Stopwatch uploading;
    const std::uint64_t query_bytes = queries.rows * description_.dimensions * 4;
    incoming_queries_ = device.create_buffer(query_bytes, MemoryKind::upload);
    queries_ = device.create_buffer(query_bytes, MemoryKind::device);
    copy_rows(queries, static_cast<float*>(incoming_queries_->mapped()));
    scratch_ = device.create_buffer(plan_->scratch_bytes(), MemoryKind::device);
    offsets_ = device.create_buffer((queries.rows + 1) * 8, MemoryKind::device);
    offsets_read_ = device.create_buffer((queries.rows + 1) * 8, MemoryKind::readback);
    buffers_.queries = *queries_;
    buffers_.scratch = *scratch_;
    buffers_.offsets = *offsets_;
    if (description_.filter != FilterKind::none) {
      const std::uint64_t filter_bytes = filter.rows * filter.columns * 4;
      incoming_filter_ = device.create_buffer(filter_bytes, MemoryKind::upload);
      filter_ = device.create_buffer(filter_bytes, MemoryKind::device);
      copy_rows(filter, static_cast<std::uint32_t*>(incoming_filter_->mapped()));
      buffers_.filter = *filter_;
    }
    times.upload_milliseconds += uploading.milliseconds();

    submit(times, [&] {
      // Every workgroup reads the queries, so they move next to the rows first.
      commands_->copy(*incoming_queries_, *queries_);
      if (filter_) commands_->copy(*incoming_filter_, *filter_);
      commands_->barrier();
      plan_->record_count(*commands_, buffers_);
      commands_->barrier();
      commands_->copy(*offsets_, *offsets_read_);
    });
  }

  const std::uint64_t* offsets() const {
    return static_cast<const std::uint64_t*>(offsets_read_->mapped());
  }
  std::uint64_t found() const { return offsets()[description_.queries]; }

  // Writes what was counted to the end of the answer.
  void fill(RangeNeighbors& answer, SearchTimes& times) {
    const std::uint64_t slots = found();
    const std::uint64_t before = answer.indices.size();
    for (std::uint64_t query = 1; query <= description_.queries; ++query)
      answer.offsets.push_back(before + offsets()[query]);
    if (slots == 0) return;
    Device& device = storage_.device();
    indices_ = device.create_buffer(slots * 4, MemoryKind::device);
    distances_ = device.create_buffer(slots * 4, MemoryKind::device);
    indices_read_ = device.create_buffer(slots * 4, MemoryKind::readback);
    distances_read_ = device.create_buffer(slots * 4, MemoryKind::readback);
    buffers_.indices = *indices_;
    buffers_.distances = *distances_;
    submit(times, [&] {
      plan_->record_fill(*commands_, buffers_);
      commands_->barrier();
      commands_->copy(*indices_, *indices_read_);
      commands_->copy(*distances_, *distances_read_);
    });
    const Stopwatch reading;
    answer.indices.resize(before + slots);
    answer.distances.resize(before + slots);
    std::memcpy(answer.indices.data() + before, indices_read_->mapped(), slots * 4);
    std::memcpy(answer.distances.data() + before, distances_read_->mapped(), slots * 4);
    times.readback_milliseconds += reading.milliseconds();
  }

 private:
  template <typename Record>
  void submit(SearchTimes& times, const Record& record) {
    commands_->begin();
    record();
    commands_->end();
    const Stopwatch computing;
    storage_.device().submit(*commands_);
    storage_.device().wait();
    const bool timed = timing_ != Timing::none && storage_.device().capabilities().timestamps;
    add_compute_times(times, *commands_, timed, computing);
  }

  Storage& storage_;
  RangeDescription description_;
  Timing timing_;
  std::unique_ptr<PlannedRangeSearch> plan_;
  RangeBuffers buffers_;
  std::unique_ptr<Buffer> incoming_queries_, queries_, incoming_filter_, filter_, scratch_;
  std::unique_ptr<Buffer> offsets_, offsets_read_, indices_, distances_, indices_read_, distances_read_;
  std::unique_ptr<Commands> commands_;  // go first: where waiting for them failed they still use the others
};

}  // namespace

void RangeSearch::run(const MatrixView<float>& queries, const MatrixView<std::uint32_t>& filter,
                      RangeNeighbors& found, SearchTimes& times) {
  RangeDescription description = description_;
  description.queries = static_cast<std::uint32_t>(queries.rows);
  const std::uint64_t fitting =
      std::min(most_slots, storage_.device().capabilities().max_allocation_bytes / 4);
  {
    Block block(storage_, description, timing_);
    block.count(queries, filter, times);
    if (block.found() <= fitting || queries.rows == 1) return block.fill(found, times);
  }
  const std::uint64_t half = queries.rows / 2;
  const bool shared = description.filter != FilterKind::per_query;
  run(queries.slice(0, half), shared ? filter : filter.slice(0, half), found, times);
  run(queries.slice(half, queries.rows - half),
      shared ? filter : filter.slice(half, queries.rows - half), found, times);
}

}  // namespace proxel::index
