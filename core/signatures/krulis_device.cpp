#include "signatures/krulis_device.hpp"

#include <algorithm>
#include <bit>
#include <numbers>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "session/stopwatch.hpp"
#include "watch.hpp"

namespace proxel::krulis {
namespace {

// Thrown where nobody wants a block any more.
struct Dropped {};

}  // namespace

BlockDevice::BlockDevice(Device& device, std::size_t number, const Collection& collection, const KrulisOptions& options,
                         BlockQueue& queue)
    : device_(device),
      number_(number),
      queue_(queue),
      groups_(collection.division.groups),
      precision_(options.precision),
      held_(device, collection.signatures, collection.pivots, groups_, collection.division.held[number],
            collection.division.first_held(number),
            [&queue, number](std::uint32_t group, bool there) { queue.holds(number, group, there); }) {
  const double scale = options.alpha * std::numbers::log2e;
  parameters_.scale = std::bit_cast<std::uint32_t>(static_cast<float>(scale));
  parameters_.scale_double = std::bit_cast<std::uint64_t>(scale);
  parameters_.dimensions = collection.signatures.dimensions();
  parameters_.count = 1;
  const Pass block = passes::make_sqfd_block(parameters_, precision_);
  if (const Support support = device.supports(block); !support && precision_ == SqfdPrecision::float64)
    throw Error(ErrorCode::unsupported, "precision",
                fmt::format("float64 was given, and {} cannot compute in it: {}", device.info().id, support.reason));
  device.prepare(block);
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
  bringing_milliseconds_ = 0;
}

void BlockDevice::serve() {
  // Submitted, and in the slot of that number.
  Block* running = nullptr;
  std::size_t slot = 0;
  while (true) {
    Block* next = running ? queue_.take_another(number_) : queue_.take(number_);
    if (!running && !next) return;
    std::exception_ptr failure;
    const auto ready = [&] {
      try {
        make_ready(*next, slots_[slot ^ 1], running);
      } catch (...) {
        failure = std::current_exception();
      }
    };
    // Where there is room for one group alone, that of the block that runs has to go first.
    const bool beside = next && (!running || held_.spares(next->group, running->group));
    if (beside) ready();
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
    if (!beside) ready();
    slot ^= 1;
    try {
      if (failure) std::rethrow_exception(failure);
      start(slots_[slot]);
      running = next;
    } catch (...) {
      queue_.finish(*next, std::current_exception(), true);
    }
  }
}

void BlockDevice::start(Slot& slot) {
  const session::Stopwatch bringing;
  held_.finish();
  bringing_milliseconds_ += bringing.milliseconds();
  const Watch watch([this](double) { look(); });
  device_.submit(*slot.commands);
}

void BlockDevice::look() const {
  if (queue_.dropping()) throw Dropped();
}

void BlockDevice::make_ready(const Block& block, Slot& slot, const Block* running) {
  const GroupAddress at = bring(block.group, running);
  const Shape shape{at, block.first - first_of(block), block.count,
                    static_cast<std::uint32_t>(block.query.weights.size()), !block.numbers.empty()};
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
  write(block, slot);
  if (!larger && slot.recorded == shape) return;
  record(block, shape, at, slot);
}

GroupAddress BlockDevice::bring(std::uint32_t group, const Block* running) {
  const session::Stopwatch bringing;
  const Watch watch([this](double) { look(); });
  const GroupAddress at = held_.bring(group, running ? std::optional(running->group) : std::nullopt);
  bringing_milliseconds_ += bringing.milliseconds();
  return at;
}

std::uint32_t BlockDevice::first_of(const Block& block) const {
  // Pivots are a group of their own, and numbered in it.
  return block.group == groups_.count() ? 0 : static_cast<std::uint32_t>(groups_.first(block.group));
}

void BlockDevice::write(const Block& block, Slot& slot) const {
  auto* to = static_cast<float*>(slot.given->mapped());
  to = std::copy(block.query.centroids.begin(), block.query.centroids.end(), to);
  to = std::copy(block.query.weights.begin(), block.query.weights.end(), to);
  std::transform(block.numbers.begin(), block.numbers.end(), reinterpret_cast<std::uint32_t*>(to),
                 [first = first_of(block)](std::uint32_t number) { return number - first; });
}

void BlockDevice::record(const Block& block, const Shape& shape, const GroupAddress& at, Slot& slot) {
  const std::uint64_t centroids = block.query.centroids.size() * 4;
  const std::uint64_t values = centroids + block.query.weights.size() * 4;
  passes::SqfdBlockParameters parameters = parameters_;
  parameters.centroids = at.centroids;
  parameters.weights = at.weights;
  parameters.offsets = at.offsets;
  parameters.query_centroids = slot.near->address();
  parameters.query_weights = slot.near->address() + centroids;
  parameters.objects = shape.numbered ? slot.near->address() + values : 0;
  parameters.distances = slot.distances->address();
  parameters.query_length = shape.query_length;
  parameters.first_object = shape.first;
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
