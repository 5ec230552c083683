#include "bench/recorded_search.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>

#include <fmt/format.h>

#include "compare/difference.hpp"
#include "devices.hpp"
#include "proxel/index.hpp"

namespace proxel::tool {

RecordedSearch::RecordedSearch(Device& device, const Shape& shape, std::uint64_t k, MatrixView<float> queries,
                               std::uint32_t copies, std::uint64_t scratch_bytes, const RecordSearch& record)
    : device_(device), shape_(shape), k_(k), queries_(queries) {
  const std::uint64_t query_bytes = std::uint64_t{shape.queries} * shape.dimensions * 4;
  const std::uint64_t slot_bytes = shape.queries * k * 4;
  staged_queries_ = device.create_buffer(query_bytes, MemoryKind::upload);
  device_queries_ = device.create_buffer(query_bytes, MemoryKind::device);
  scratch_ = device.create_buffer(scratch_bytes, MemoryKind::device);
  indices_ = device.create_buffer(slot_bytes, MemoryKind::device);
  distances_ = device.create_buffer(slot_bytes, MemoryKind::device);
  read_indices_ = device.create_buffer(slot_bytes, MemoryKind::readback);
  read_distances_ = device.create_buffer(slot_bytes, MemoryKind::readback);

  const SearchBuffers buffers{*device_queries_, *scratch_, *indices_, *distances_};
  const auto upload = [&](Commands& commands) { commands.copy(*staged_queries_, *device_queries_); };
  const auto readback = [&](Commands& commands) {
    commands.copy(*indices_, *read_indices_);
    commands.copy(*distances_, *read_distances_);
  };
  const auto recorded = [&](const std::function<void(Commands&)>& what) {
    auto commands = device.create_commands(Timing::whole);
    commands->begin();
    what(*commands);
    commands->end();
    return commands;
  };
  for (std::uint32_t copy = 0; copy < copies; ++copy)
    turns_.push_back({recorded(upload), recorded([&](Commands& commands) { record(commands, copy, buffers); }),
                      recorded(readback), recorded([&](Commands& commands) {
      upload(commands);
      commands.barrier();
      record(commands, copy, buffers);
      commands.barrier();
      readback(commands);
    })});
}

void RecordedSearch::stage_queries(std::uint32_t number) {
  const std::uint64_t first = number % turns_.size() * shape_.queries;
  std::memcpy(staged_queries_->mapped(), queries_.data + first * queries_.columns, staged_queries_->bytes());
}

Timed RecordedSearch::compute(const Patience& patience) {
  stage_queries(0);
  host_milliseconds(device_, *turns_[0].upload);
  return repeat(patience, [&](std::uint32_t number) { return device_milliseconds(device_, *turn(number).compute); });
}

SearchTimings RecordedSearch::all(const Patience& patience) {
  SearchTimings timings;
  timings.compute = compute(patience);
  const Patience shorter{patience.seconds / 4, patience.least, patience.most};
  timings.upload =
      repeat(shorter, [&](std::uint32_t number) { return device_milliseconds(device_, *turn(number).upload); });
  timings.readback =
      repeat(shorter, [&](std::uint32_t number) { return device_milliseconds(device_, *turn(number).readback); });
  timings.call = call(patience);
  return timings;
}

Timed RecordedSearch::call(const Patience& patience) {
  return repeat(patience, [&](std::uint32_t number) {
    const auto start = std::chrono::steady_clock::now();
    stage_queries(number);
    device_.submit(*turn(number).call);
    device_.wait();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  });
}

Neighbors RecordedSearch::answers(std::uint32_t copy) {
  stage_queries(copy);
  // What an earlier turn left must not pass for this turn's answer.
  const auto spoil = device_.create_commands(Timing::none);
  spoil->begin();
  spoil->fill(*indices_, 0xA5);
  spoil->fill(*distances_, 0xA5);
  spoil->end();
  host_milliseconds(device_, *spoil);
  device_.submit(*turns_[copy].call);
  device_.wait();
  Neighbors found{Matrix<std::uint32_t>(shape_.queries, k_), Matrix<float>(shape_.queries, k_)};
  std::memcpy(found.indices.data(), read_indices_->mapped(), read_indices_->bytes());
  std::memcpy(found.distances.data(), read_distances_->mapped(), read_distances_->bytes());
  return found;
}

std::optional<std::string> RecordedSearch::check(const Neighbors& expected) {
  const std::uint64_t checked = expected.indices.rows() / turns_.size();
  for (std::uint32_t copy = 0; copy < turns_.size(); ++copy) {
    const Neighbors all = answers(copy);
    Neighbors part{Matrix<std::uint32_t>(checked, k_), Matrix<float>(checked, k_)};
    Neighbors found = part;
    const std::uint64_t slots = checked * k_;
    std::copy_n(all.indices.data(), slots, found.indices.data());
    std::copy_n(all.distances.data(), slots, found.distances.data());
    std::copy_n(expected.indices.data() + copy * slots, slots, part.indices.data());
    std::copy_n(expected.distances.data() + copy * slots, slots, part.distances.data());
    if (const auto difference = first_difference(part, found))
      return fmt::format("copy {}: {}", copy, difference->text());
  }
  return std::nullopt;
}

Neighbors answers_of(const std::string& id, MatrixView<float> database, MatrixView<float> queries, std::uint64_t k,
                     Metric metric, ProgressBar& bar) {
  const auto device = open_checked(id);
  Index index(*device, database, {.method = Method::scan}, bar.callback());
  return index.search(queries, k, metric, {.progress = bar.callback()});
}

}  // namespace proxel::tool
