#include "bench/recorded_search.hpp"

#include <chrono>
#include <cstring>

#include <fmt/format.h>

#include "compare/difference.hpp"
#include "devices.hpp"
#include "proxel/index.hpp"

namespace proxel::tool {

RecordedSearch::RecordedSearch(Device& device, const Shape& shape, std::uint64_t k,
                               MatrixView<float> queries, std::uint32_t copies,
                               std::uint64_t scratch_bytes, const RecordSearch& record)
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
    turns_.push_back({recorded(upload),
                      recorded([&](Commands& commands) { record(commands, copy, buffers); }),
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
  std::memcpy(staged_queries_->mapped(), queries_.data + first * queries_.columns,
              staged_queries_->bytes());
}

Timed RecordedSearch::compute(const Patience& patience) {
  stage_queries(0);
  host_milliseconds(device_, *turns_[0].upload);
  return repeat(patience, [&](std::uint32_t number) {
    return device_milliseconds(device_, *turn(number).compute);
  });
}

SearchTimings RecordedSearch::all(const Patience& patience) {
  SearchTimings timings;
  timings.compute = compute(patience);
  const Patience shorter{patience.seconds / 4, patience.least, patience.most};
  timings.upload = repeat(shorter, [&](std::uint32_t number) {
    return device_milliseconds(device_, *turn(number).upload);
  });
  timings.readback = repeat(shorter, [&](std::uint32_t number) {
    return device_milliseconds(device_, *turn(number).readback);
  });
  timings.call = repeat(patience, [&](std::uint32_t number) {
    const auto start = std::chrono::steady_clock::now();
    stage_queries(number);
    device_.submit(*turn(number).call);
    device_.wait();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
        .count();
  });
  return timings;
}

std::optional<std::string> RecordedSearch::check(const Neighbors& expected) {
  const std::uint64_t checked = expected.indices.rows() / turns_.size();
  for (std::uint32_t copy = 0; copy < turns_.size(); ++copy) {
    stage_queries(copy);
    // What an earlier turn left must not pass for this turn's answer.
    std::memset(read_indices_->mapped(), 0xA5, read_indices_->bytes());
    std::memset(read_distances_->mapped(), 0xA5, read_distances_->bytes());
    device_.submit(*turns_[copy].call);
    device_.wait();
    Neighbors part{Matrix<std::uint32_t>(checked, k_), Matrix<float>(checked, k_)};
    Neighbors found = part;
    const std::uint64_t slots = checked * k_;
    std::memcpy(found.indices.data(), read_indices_->mapped(), slots * 4);
    std::memcpy(found.distances.data(), read_distances_->mapped(), slots * 4);
    std::memcpy(part.indices.data(), expected.indices.data() + copy * slots, slots * 4);
    std::memcpy(part.distances.data(), expected.distances.data() + copy * slots, slots * 4);
    if (const auto difference = first_difference(part, found))
      return fmt::format("copy {}: {}", copy, difference->text());
  }
  return std::nullopt;
}

Neighbors cpu_answers(MatrixView<float> database, MatrixView<float> queries, std::uint64_t k,
                      Metric metric, ProgressBar& bar) {
  const auto cpu = open_checked("cpu");
  Index index(*cpu, database, {}, bar.callback());
  return index.search(queries, k, metric, {.progress = bar.callback()});
}

}  // namespace proxel::tool
