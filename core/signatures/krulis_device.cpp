#include "signatures/krulis_device.hpp"

#include <algorithm>
#include <bit>
#include <numbers>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "session/stopwatch.hpp"
#include "watch.hpp"

namespace proxel::krulis {
namespace {

template <typename T>
std::unique_ptr<Buffer> uploaded(Device& device, std::span<const T> values) {
  auto buffer = device.create_buffer(values.size_bytes(), MemoryKind::device);
  upload(device, *buffer, values.data());
  return buffer;
}

// Thrown where nobody wants a block any more.
struct Dropped {};

}  // namespace

BlockDevice::BlockDevice(Device& device, const Signatures& signatures, double alpha, SqfdPrecision precision,
                         BlockQueue& queue)
    : device_(device), queue_(queue), precision_(precision) {
  const double scale = alpha * std::numbers::log2e;
  parameters_.scale = std::bit_cast<std::uint32_t>(static_cast<float>(scale));
  parameters_.scale_double = std::bit_cast<std::uint64_t>(scale);
  parameters_.dimensions = signatures.dimensions();
  parameters_.count = 1;
  device.prepare(passes::make_sqfd_block(parameters_, precision));

  const std::vector<std::uint32_t> offsets(signatures.offsets().begin(), signatures.offsets().end());
  centroids_ = uploaded(device, signatures.centroids());
  weights_ = uploaded(device, signatures.weights());
  offsets_ = uploaded(device, std::span<const std::uint32_t>(offsets));
  parameters_.centroids = centroids_->address();
  parameters_.weights = weights_->address();
  parameters_.offsets = offsets_->address();
  for (Slot& slot : slots_) slot.commands = device.create_commands(Timing::whole);
}

BlockDevice::~BlockDevice() {
  if (thread_.joinable()) thread_.join();
}

void BlockDevice::start() {
  try {
    thread_ = std::thread([this] { serve(); });
  } catch (const std::system_error& error) {
    throw Error(ErrorCode::out_of_memory, device_.info().id,
                fmt::format("the thread that brings it blocks could not be started: {}", error.code().message()));
  }
}

void BlockDevice::reset() {
  blocks_ = 0;
  milliseconds_ = 0;
}

void BlockDevice::serve() {
  // Submitted, and in the slot of that number.
  Block* running = nullptr;
  std::size_t slot = 0;
  while (true) {
    Block* next = running ? queue_.take_another() : queue_.take();
    if (!running && !next) return;
    std::exception_ptr failure;
    if (next) {
      try {
        make_ready(*next, slots_[slot ^ 1]);
      } catch (...) {
        failure = std::current_exception();
      }
    }
    if (running) {
      std::exception_ptr lost;
      try {
        collect(*running, slots_[slot]);
      } catch (...) {
        lost = std::current_exception();
      }
      queue_.finish(*std::exchange(running, nullptr), std::move(lost), !next);
    }
    if (!next) continue;
    slot ^= 1;
    try {
      if (failure) std::rethrow_exception(failure);
      const Watch watch([this](double) {
        if (queue_.dropping()) throw Dropped();
      });
      device_.submit(*slots_[slot].commands);
      running = next;
    } catch (...) {
      queue_.finish(*next, std::current_exception(), true);
    }
  }
}

void BlockDevice::make_ready(const Block& block, Slot& slot) {
  const Shape shape{block.first, block.count, static_cast<std::uint32_t>(block.query.weights.size()),
                    !block.numbers.empty()};
  const std::uint64_t values = block.query.centroids.size() + block.query.weights.size();
  const std::uint64_t given = (values + block.numbers.size()) * 4;
  const bool larger = !slot.given || slot.given->bytes() < given || slot.results->bytes() < block.count * 4ull;
  if (larger) {
    // All of them or none: the next block goes by what is there.
    auto near = device_.create_buffer(given, MemoryKind::device);
    auto distances = device_.create_buffer(block.count * 4ull, MemoryKind::device);
    auto results = device_.create_buffer(block.count * 4ull, MemoryKind::readback);
    slot.given = device_.create_buffer(given, MemoryKind::upload);
    slot.near = std::move(near);
    slot.distances = std::move(distances);
    slot.results = std::move(results);
  }
  auto* to = static_cast<float*>(slot.given->mapped());
  to = std::copy(block.query.centroids.begin(), block.query.centroids.end(), to);
  to = std::copy(block.query.weights.begin(), block.query.weights.end(), to);
  std::copy(block.numbers.begin(), block.numbers.end(), reinterpret_cast<std::uint32_t*>(to));
  if (!larger && slot.recorded == shape) return;
  record(block, shape, slot);
}

void BlockDevice::record(const Block& block, const Shape& shape, Slot& slot) {
  const std::uint64_t centroids = block.query.centroids.size() * 4;
  const std::uint64_t values = centroids + block.query.weights.size() * 4;
  passes::SqfdBlockParameters parameters = parameters_;
  parameters.query_centroids = slot.near->address();
  parameters.query_weights = slot.near->address() + centroids;
  parameters.objects = shape.numbered ? slot.near->address() + values : 0;
  parameters.distances = slot.distances->address();
  parameters.query_length = shape.query_length;
  parameters.first_object = block.first;
  parameters.count = block.count;

  slot.recorded = {};
  const std::uint64_t given = values + block.numbers.size() * 4, results = block.count * 4ull;
  slot.commands->begin();
  slot.commands->copy(BufferView(*slot.given, 0, given), BufferView(*slot.near, 0, given));
  slot.commands->barrier();
  slot.commands->record(passes::make_sqfd_block(parameters, precision_));
  slot.commands->barrier();
  slot.commands->copy(BufferView(*slot.distances, 0, results), BufferView(*slot.results, 0, results));
  slot.commands->end();
  slot.recorded = shape;
}

void BlockDevice::collect(Block& block, Slot& slot) {
  device_.wait();
  const auto* results = static_cast<const float*>(slot.results->mapped());
  block.distances.assign(results, results + block.count);
  ++blocks_;
  milliseconds_ += slot.commands->milliseconds();
}

}  // namespace proxel::krulis
