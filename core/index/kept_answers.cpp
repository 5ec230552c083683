#include "index/kept_answers.hpp"

#include <algorithm>
#include <utility>

#include "proxel/passes/merge_answers.h"
#include "search/decode.hpp"
#include "session/queries_at_once.hpp"
#include "session/run_once.hpp"

namespace proxel::index {
namespace {

// Of answers, 2 MiB: fewer are read in one piece.
constexpr std::uint64_t worthwhile_slots = std::uint64_t{1} << 18;

}  // namespace

std::uint64_t KeptAnswers::bytes(std::uint64_t queries, std::uint64_t dimensions, std::uint64_t k) {
  return queries * (dimensions * 4 + 2 * k * 8 + 4);
}

KeptAnswers::KeptAnswers(Device& device, std::uint64_t queries, std::uint64_t dimensions, std::uint64_t k)
    : device_(device),
      queries_(queries),
      dimensions_(dimensions),
      k_(k),
      at_once_(std::min(queries, session::queries_at_once((dimensions + 2 * k) * 4))),
      asked_(device.create_buffer(queries * dimensions * 4, MemoryKind::device)),
      staging_(device.create_buffer(at_once_ * dimensions * 4, MemoryKind::upload)),
      indices_(device.create_buffer(at_once_ * k * 4, MemoryKind::readback)),
      distances_(device.create_buffer(at_once_ * k * 4, MemoryKind::readback)),
      bounds_(device.create_buffer(queries * 4, MemoryKind::device)),
      copy_(device),
      threads_(at_once_, k) {
  for (auto& keys : nearest_) keys = device.create_buffer(queries * k * 8, MemoryKind::device);
}

bool KeptAnswers::keep(std::unique_ptr<KeptAnswers>& kept, Device& device, std::uint64_t queries,
                       std::uint64_t dimensions, std::uint64_t k) {
  if (kept && kept->is_for(queries, k)) return true;
  kept.reset();  // its memory may be what the next needs
  try {
    kept = std::make_unique<KeptAnswers>(device, queries, dimensions, k);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::out_of_memory) throw;
  }
  return kept != nullptr;
}

void KeptAnswers::run(const std::function<void(Recording&)>& record) {
  session::start(device_, commands_, record, Timing::none);
  device_.wait();
}

void KeptAnswers::begin(const MatrixView<float>& queries) {
  empty_ = true;
  // NaN each.
  run([&](Recording& recording) { recording.fill(*bounds_, 0xFF); });
  for (std::uint64_t first = 0; first < queries_; first += at_once_) {
    const std::uint64_t count = std::min(at_once_, queries_ - first);
    copy_.run(queries.slice(first, count), static_cast<float*>(staging_->mapped()));
    const std::uint64_t row_bytes = dimensions_ * 4;
    run([&](Recording& recording) {
      recording.copy(BufferView(*staging_, 0, count * row_bytes),
                     BufferView(*asked_, first * row_bytes, count * row_bytes));
    });
  }
}

void KeptAnswers::copy_queries(const session::Round& round, std::uint64_t first, std::uint64_t count) {
  const std::uint64_t row_bytes = dimensions_ * 4;
  session::start(device_, asking_, [&](Recording& recording) {
    recording.copy(BufferView(*asked_, first * row_bytes, count * row_bytes),
                   round.device_queries().part(0, count * row_bytes));
    if (const BufferView bounds = round.device_bounds(); bounds.buffer)
      recording.copy(BufferView(*bounds_, first * 4, count * 4), bounds.part(0, count * 4));
  }, Timing::none);
}

void KeptAnswers::add(const session::Round& round, std::uint64_t first, std::uint64_t count, std::uint64_t columns,
                      std::uint32_t first_index, Metric metric) {
  const auto& [before, with] = nearest_;
  passes::MergeAnswersParameters merge{};
  merge.nearest = before->address() + (empty_ ? 0 : first * k_ * 8);
  merge.indices = round.device_indices().address();
  merge.distances = round.device_distances().address();
  merge.merged = with->address() + first * k_ * 8;
  merge.bounds = bounds_->address() + first * 4;
  merge.queries = static_cast<std::uint32_t>(count);
  merge.k = static_cast<std::uint32_t>(k_);
  merge.kept = empty_ ? 0 : merge.k;
  merge.columns = static_cast<std::uint32_t>(columns);
  merge.first_index = first_index;
  merge.largest_first = largest_first(accumulated(metric));
  session::start(device_, merging_, [&](Recording& recording) { recording.record(passes::make_merge_answers(merge)); },
                 Timing::none);
}

void KeptAnswers::end_part() {
  std::swap(nearest_[0], nearest_[1]);
  empty_ = false;
}

void KeptAnswers::read(Metric metric, Neighbors& nearest) {
  // The device writes a share while the host copies the one before.
  const bool in_shares = queries_ > at_once_ || queries_ * k_ >= worthwhile_slots;
  const std::uint64_t share = in_shares ? std::max<std::uint64_t>(at_once_ / 4, 1) : at_once_;
  const std::uint64_t places = at_once_ / share;
  const auto place_of = [&](std::uint64_t first) { return first / share % places * share * k_; };
  const auto start = [&](std::uint64_t first) {
    if (first >= queries_) return;
    const std::uint64_t slots = std::min(share, queries_ - first) * k_;
    SearchBuffers answer;
    answer.indices = BufferView(*indices_, place_of(first) * 4, slots * 4);
    answer.distances = BufferView(*distances_, place_of(first) * 4, slots * 4);
    session::start(device_, commands_, [&](Recording& recording) {
      search::record_decode(recording, metric, nearest_[0]->address() + first * k_ * 8, answer, 0, slots);
    }, Timing::none);
  };
  const session::WorkEnds work(device_);  // also where something fails
  start(0);
  for (std::uint64_t first = 0; first < queries_; first += share) {
    device_.wait();
    if (places > 1) start(first + share);
    const auto* const indices = static_cast<const std::uint32_t*>(indices_->mapped()) + place_of(first);
    const auto* const distances = static_cast<const float*>(distances_->mapped()) + place_of(first);
    threads_.run(std::min(share, queries_ - first), [&](std::uint64_t begin, std::uint64_t some) {
      std::copy_n(indices + begin * k_, some * k_, nearest.indices.data() + (first + begin) * k_);
      std::copy_n(distances + begin * k_, some * k_, nearest.distances.data() + (first + begin) * k_);
    });
    if (places == 1) start(first + share);
  }
}

}  // namespace proxel::index
