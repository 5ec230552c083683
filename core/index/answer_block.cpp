#include "index/answer_block.hpp"

#include <cstring>

#include "index/compute_times.hpp"
#include "index/run_once.hpp"
#include "index/stopwatch.hpp"
#include "search/check.hpp"

namespace proxel::index {

AnswerBlock::AnswerBlock(Device& device, const AnswerShape& shape, std::uint64_t matches,
                         std::uint64_t scratch_bytes, Timing timing, const Record& record)
    : device_(device), shape_(shape), slots_(within() ? matches : shape.queries * shape.k),
      scratch_(device.create_buffer(scratch_bytes, MemoryKind::device)),
      // Matches are sorted where they lie.
      indices_(device.create_buffer(slots_ * 4, within() ? MemoryKind::device : MemoryKind::readback)),
      distances_(device.create_buffer(slots_ * 4, within() ? MemoryKind::device : MemoryKind::readback)),
      timed_(device.capabilities().timestamps && timing != Timing::none),
      commands_(device.create_commands(timing)) {
  const std::uint64_t match_bytes = within() ? (std::uint64_t{shape.queries} + 1) * 8 : 8;
  matches_ = device.create_buffer(match_bytes, MemoryKind::device);
  matches_read_ = device.create_buffer(match_bytes, MemoryKind::readback);
  commands_->begin();
  record(*commands_, {*scratch_, *indices_, *distances_, *matches_});
  if (within()) {
    commands_->barrier();
    commands_->copy(*matches_, *matches_read_);
  }
  commands_->end();
}

// Here rather than inline: gcc 14 takes an inlined one, in an empty std::optional, for a use of what was never set.
AnswerBlock::~AnswerBlock() = default;

void AnswerBlock::compute(SearchTimes& times) {
  const Stopwatch computing;
  device_.submit(*commands_);
  device_.wait();
  add_compute_times(times, *commands_, timed_, computing);
}

template <typename Element>
void AnswerBlock::read(Buffer& from, Element* to, std::uint64_t count) {
  const auto staging = device_.create_buffer(count * 4, MemoryKind::readback);
  run_once(device_, [&](Recording& recording) {
    recording.copy(BufferView(from).part(0, count * 4), *staging);
  });
  std::memcpy(to, staging->mapped(), count * 4);
}

void AnswerBlock::run(std::uint32_t* indices, float* distances, SearchTimes& times) {
  compute(times);
  const Stopwatch reading;
  std::memcpy(indices, indices_->mapped(), slots_ * 4);
  std::memcpy(distances, distances_->mapped(), slots_ * 4);
  times.readback_milliseconds += reading.milliseconds();
}

std::uint64_t AnswerBlock::run(RangeNeighbors& found, SearchTimes& times) {
  compute(times);
  const Stopwatch reading;
  const auto* matches = static_cast<const std::uint64_t*>(matches_read_->mapped());
  const std::uint64_t count = matches[shape_.queries];
  if (count > slots_) return count;
  const std::uint64_t before = found.indices.size();
  for (std::uint32_t i = 1; i <= shape_.queries; ++i) found.offsets.push_back(before + matches[i]);
  if (count != 0) {
    found.indices.resize(before + count);
    found.distances.resize(before + count);
    read(*indices_, found.indices.data() + before, count);
    read(*distances_, found.distances.data() + before, count);
  }
  times.readback_milliseconds += reading.milliseconds();
  return count;
}

Neighbors neighbors_room(std::uint64_t queries, std::uint64_t k) {
  search::require_range("k", k, 1, search::most_rows);
  try {
    return {Matrix<std::uint32_t>(queries, k), Matrix<float>(queries, k)};
  } catch (const std::exception&) {
    // bad_alloc, or length_error from a size that no allocation could have
    throw Error(ErrorCode::out_of_memory, "k", "the neighbours do not fit the host's memory");
  }
}

}  // namespace proxel::index
