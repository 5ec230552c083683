#include "session/round.hpp"

#include <algorithm>
#include <cstring>

#include "session/compute_times.hpp"
#include "session/run_once.hpp"

namespace proxel::session {

namespace {

// Memory of the device that the host writes, or none where there is none. Writing it takes the host no longer than writing its own
// (docs/lab/few-queries.md).
MemoryPool::Lent direct_memory(MemoryPool& pool, std::uint64_t bytes) {
  try {
    return pool.lend(bytes, MemoryKind::direct);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::unsupported && error.code() != ErrorCode::out_of_memory) throw;
    return {};
  }
}

}  // namespace

bool Round::Copied::record(Recording& recording) const {
  if (!host || !device) return false;
  recording.copy(host.view(), device.view());
  return true;
}

Round::Copied Round::copied(std::uint64_t bytes) {
  if (MemoryPool::Lent direct = direct_memory(pool_, bytes)) return {std::move(direct), {}};
  return {pool_.lend(bytes, MemoryKind::upload), pool_.lend(bytes, MemoryKind::device)};
}

Round::Round(Device& device, MemoryPool& pool, Commands& commands, std::unique_ptr<Plan> plan, const Memory& memory,
             Timing timing)
    : device_(device),
      pool_(pool),
      plan_(std::move(plan)),
      needed_(plan_->requirements()),
      timed_(device.capabilities().timestamps && timing != Timing::none),
      timing_(timing),
      commands_(commands) {
  const auto buffer = [&](std::uint64_t bytes, MemoryKind kind) { return pool.lend(bytes, kind); };
  const std::uint64_t query_bytes = memory.query_bytes != 0 ? memory.query_bytes : needed_.queries.bytes;
  if (memory.queries_on_device) queries_.device = buffer(query_bytes, MemoryKind::device);
  // A plan that copies them itself needs no copy before.
  else if (needed_.queries.usage & usage_transfer_source)
    queries_.host = buffer(query_bytes, MemoryKind::upload);
  else
    queries_ = copied(query_bytes);
  query_offsets_ = copied(needed_.query_offsets.bytes);
  filter_ = copied(needed_.filter.bytes);
  self_ = copied(needed_.self.bytes);
  after_indices_ = buffer(needed_.after_indices.bytes, MemoryKind::upload);
  after_distances_ = buffer(needed_.after_distances.bytes, MemoryKind::upload);
  scratch_ = buffer(needed_.scratch.bytes, MemoryKind::device);
  bounds_ = buffer(needed_.bounds.bytes, MemoryKind::device);
  buffers_.queries = queries_.view();
  buffers_.query_offsets = query_offsets_.view();
  buffers_.filter = filter_.view();
  buffers_.self = self_.view();
  if (after_indices_) buffers_.after = {after_distances_.view(), after_indices_.view()};
  buffers_.scratch = scratch_.view();
  buffers_.bounds = device_bounds();

  if (needed_.offsets.bytes != 0) {
    offsets_ = buffer(needed_.offsets.bytes, MemoryKind::device);
    offsets_read_ = buffer(needed_.offsets.bytes, MemoryKind::readback);
    buffers_.offsets = offsets_.view();
    if (!plan_->has_halves()) make_room(memory.matches);
    record(plan_->has_halves() ? SearchPart::count : SearchPart::whole);
    return;
  }
  const bool all_distances = needed_.indices.bytes == 0;
  const MemoryKind kind = memory.answers_on_device ? MemoryKind::device : MemoryKind::readback;
  indices_ = buffer(needed_.indices.bytes, kind);
  distances_ = buffer(needed_.distances.bytes, all_distances ? MemoryKind::device : kind);
  if (all_distances) distances_read_ = buffer(needed_.distances.bytes, MemoryKind::readback);
  buffers_.indices = indices_.view();
  buffers_.distances = distances_.view();
  record(SearchPart::whole);
}

void Round::make_room(std::uint64_t slots) {
  // What was too small before is freed. Matches are sorted where they lie.
  fill_.reset();
  indices_ = {};
  distances_ = {};
  slots_ = 0;
  indices_ = pool_.lend(slots * 4, MemoryKind::device);
  distances_ = pool_.lend(slots * 4, MemoryKind::device);
  pool_.shrink(0);
  slots_ = slots;
  buffers_.indices = indices_.view();
  buffers_.distances = distances_.view();
}

void Round::record(SearchPart part) {
  commands_.begin();
  bool copies = false;
  for (const Copied* one : {&queries_, &query_offsets_, &filter_, &self_}) copies |= one->record(commands_);
  if (copies) commands_.barrier();
  plan_->record(commands_, buffers_, part);
  if (offsets_) {
    commands_.barrier();
    commands_.copy(offsets_.view(), offsets_read_.view());
  }
  if (distances_read_) {
    commands_.barrier();
    commands_.copy(distances_.view(), distances_read_.view());
  }
  commands_.end();
}

void Round::record_fill() {
  if (fill_) return;
  fill_ = device_.create_commands(timing_);
  fill_->begin();
  plan_->record(*fill_, buffers_, SearchPart::fill);
  fill_->end();
}

void Round::start() { device_.submit(commands_); }

void Round::finish(SearchTimes& times) {
  const Stopwatch waiting;
  device_.wait();
  add_compute_times(times, commands_, timed_, waiting);
}

Round::Matches Round::append_matches(std::uint64_t most, RangeNeighbors& found, SearchTimes& times) {
  run(times);
  const auto* ends = static_cast<const std::uint64_t*>(offsets_read_.mapped());
  const std::uint64_t queries = needed_.offsets.bytes / 8 - 1, count = ends[queries];
  if (count > most || (count > slots_ && !plan_->has_halves())) return {count, false};
  if (plan_->has_halves() && count != 0) {
    if (count > slots_) make_room(std::min(most, count + count / 8));
    record_fill();
    const Stopwatch waiting;
    device_.submit(*fill_);
    device_.wait();
    add_compute_times(times, *fill_, timed_, waiting);
  }
  const Stopwatch reading;
  const std::uint64_t before = found.indices.size();
  for (std::uint64_t i = 1; i <= queries; ++i) found.offsets.push_back(before + ends[i]);
  found.indices.resize(before + count);
  found.distances.resize(before + count);
  if (count != 0) read(count, found.indices.data() + before, found.distances.data() + before);
  times.readback_milliseconds += reading.milliseconds();
  return {count, true};
}

void Round::read(std::uint64_t count, std::uint32_t* indices, float* distances) {
  // As much as the next block may have: such memory takes longer to come by than to fill.
  if (matches_read_.view().bytes < count * 8) {
    matches_read_ = {};
    matches_read_ = pool_.lend(std::max(slots_, count) * 8, MemoryKind::readback);
    pool_.shrink(0);
  }
  const BufferView all = matches_read_.view(), half = all.part(0, count * 4), other = all.part(count * 4, count * 4);
  session::start(device_, reading_, [&](Recording& recording) {
    recording.copy(indices_.view().part(0, count * 4), half);
    recording.copy(distances_.view().part(0, count * 4), other);
  }, Timing::none);
  device_.wait();
  const auto* read = static_cast<const std::byte*>(matches_read_.mapped());
  std::memcpy(indices, read, count * 4);
  std::memcpy(distances, read + count * 4, count * 4);
}

}  // namespace proxel::session
