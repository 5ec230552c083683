#include "index/prepared_search.hpp"

#include <algorithm>
#include <cstring>

#include "index/compute_times.hpp"
#include "index/plan_search.hpp"
#include "index/upload.hpp"

namespace proxel::index {

PreparedSearch::PreparedSearch(const Storage& storage, Searcher& searcher,
                               const SearchDescription& description, Source source, Timing timing)
    : storage_(storage), description_(description), source_(source),
      timed_(storage.device().capabilities().timestamps && timing != Timing::none),
      plan_(plan_search(storage.device(), searcher, description)) {
  Device& device = storage.device();
  const std::uint64_t slots = std::uint64_t{description.queries} * description.k;
  const std::uint64_t query_bytes = std::uint64_t{description.queries} * description.dimensions * 4;
  if (source == Source::host)
    incoming_ = device.create_buffer(query_bytes, MemoryKind::upload);
  else
    gather_ = device.create_commands(Timing::none);
  queries_ = device.create_buffer(query_bytes, MemoryKind::device);
  scratch_ = device.create_buffer(plan_->scratch_bytes(), MemoryKind::device);
  indices_ = device.create_buffer(slots * 4, MemoryKind::readback);
  distances_ = device.create_buffer(slots * 4, MemoryKind::readback);
  commands_ = device.create_commands(timing);

  SearchBuffers buffers{*queries_, *scratch_, *indices_, *distances_};
  if (description.filter != FilterKind::none) {
    const std::uint64_t filters = description.filter == FilterKind::shared ? 1 : description.queries;
    const std::uint64_t filter_bytes = filters * filter_words(description.rows) * 4;
    incoming_filter_ = device.create_buffer(filter_bytes, MemoryKind::upload);
    filter_ = device.create_buffer(filter_bytes, MemoryKind::device);
    buffers.filter = *filter_;
  }
  if (description.continued) {
    after_indices_ = device.create_buffer(std::uint64_t{description.queries} * 4, MemoryKind::upload);
    after_distances_ = device.create_buffer(std::uint64_t{description.queries} * 4, MemoryKind::upload);
    buffers.after = {*after_distances_, *after_indices_};
  }

  commands_->begin();
  // Every workgroup reads the queries and the filter, so they move next to the rows first.
  if (incoming_) commands_->copy(*incoming_, *queries_);
  if (filter_) commands_->copy(*incoming_filter_, *filter_);
  if (incoming_ || filter_) commands_->barrier();
  plan_->record(*commands_, buffers);
  commands_->end();
}

void PreparedSearch::set_filter(const MatrixView<std::uint32_t>& words) {
  copy_rows(words, static_cast<std::uint32_t*>(incoming_filter_->mapped()));
}

void PreparedSearch::set_after(const MatrixView<std::uint32_t>& indices,
                               const MatrixView<float>& distances) {
  copy_rows(indices, static_cast<std::uint32_t*>(after_indices_->mapped()));
  copy_rows(distances, static_cast<float*>(after_distances_->mapped()));
}

void PreparedSearch::run(const MatrixView<float>& queries, std::uint32_t* indices,
                         float* distances, SearchTimes& times) {
  const Stopwatch uploading;
  copy_rows(queries, static_cast<float*>(incoming_->mapped()));
  times.upload_milliseconds += uploading.milliseconds();
  submit_and_read(indices, distances, times);
}

void PreparedSearch::run(std::uint64_t first_row, std::uint32_t* indices, float* distances,
                         SearchTimes& times) {
  const Stopwatch gathering;
  gather_->begin();
  storage_.record_unpack(*gather_, first_row, description_.queries, *queries_);
  gather_->end();
  storage_.device().submit(*gather_);
  storage_.device().wait();
  times.upload_milliseconds += gathering.milliseconds();
  submit_and_read(indices, distances, times);
}

void PreparedSearch::submit_and_read(std::uint32_t* indices, float* distances,
                                     SearchTimes& times) {
  const Stopwatch computing;
  storage_.device().submit(*commands_);
  storage_.device().wait();
  add_compute_times(times, *commands_, timed_, computing);

  const Stopwatch reading;
  const std::uint64_t slots = std::uint64_t{description_.queries} * description_.k;
  std::memcpy(indices, indices_->mapped(), slots * sizeof(std::uint32_t));
  std::memcpy(distances, distances_->mapped(), slots * sizeof(float));
  times.readback_milliseconds += reading.milliseconds();
  for (RungCount& rung : plan_->rungs()) {
    const auto same = std::find_if(times.rungs.begin(), times.rungs.end(),
                                   [&](const RungCount& one) { return one.rung == rung.rung; });
    if (same == times.rungs.end()) times.rungs.push_back(std::move(rung));
    else same->queries += rung.queries;
  }
}

}  // namespace proxel::index
