#include "session/memory_pool.hpp"

#include <algorithm>
#include <utility>

namespace proxel::session {
namespace {

// A buffer serves where it is no more than twice as large as it need be; one of up to so many bytes serves anyway.
constexpr std::uint64_t small_bytes = std::uint64_t{64} << 20;
// Buffers that are kept; a round has fewer, and what holds more at once is no round.
constexpr std::size_t most_free = 32;

bool serves(const Buffer& buffer, std::uint64_t bytes) {
  return buffer.bytes() >= bytes && (buffer.bytes() <= small_bytes || buffer.bytes() / 2 <= bytes);
}

bool smaller(const std::unique_ptr<Buffer>& one, const std::unique_ptr<Buffer>& other) {
  return one->bytes() < other->bytes();
}

}  // namespace

MemoryPool::MemoryPool(Device& device) : device_(device) { free_.reserve(most_free); }

void MemoryPool::GiveBack::operator()(Buffer* buffer) const noexcept {
  std::unique_ptr<Buffer> back(buffer);
  const std::scoped_lock lock(to->mutex_);
  if (to->free_.size() < most_free) to->free_.push_back({std::move(back), kind});
}

std::unique_ptr<Buffer> MemoryPool::take(std::uint64_t bytes, MemoryKind kind) {
  const std::scoped_lock lock(mutex_);
  auto best = free_.end();
  for (auto free = free_.begin(); free != free_.end(); ++free)
    if (free->kind == kind && serves(*free->buffer, bytes) &&
        (best == free_.end() || smaller(free->buffer, best->buffer)))
      best = free;
  if (best == free_.end()) return nullptr;
  std::unique_ptr<Buffer> taken = std::move(best->buffer);
  free_.erase(best);
  return taken;
}

MemoryPool::Lent MemoryPool::lend(std::uint64_t bytes, MemoryKind kind) {
  Lent lent;
  if (bytes == 0) return lent;
  std::unique_ptr<Buffer> buffer = take(bytes, kind);
  if (!buffer) try {
      buffer = device_.create_buffer(bytes, kind);
    } catch (const Error& error) {
      // What is free may be what this needs.
      if (error.code() != ErrorCode::out_of_memory || !has_free()) throw;
      shrink(0);
      buffer = device_.create_buffer(bytes, kind);
    }
  lent.buffer_ = {buffer.release(), {this, kind}};
  lent.bytes_ = bytes;
  return lent;
}

void MemoryPool::shrink(std::uint64_t most) noexcept {
  const std::scoped_lock lock(mutex_);
  std::uint64_t left = 0;
  for (const Free& free : free_) left += free.buffer->bytes();
  std::ranges::sort(free_, smaller, &Free::buffer);
  while (left > most) {
    left -= free_.back().buffer->bytes();
    free_.pop_back();
  }
}

bool MemoryPool::has_free() const {
  const std::scoped_lock lock(mutex_);
  return !free_.empty();
}

}  // namespace proxel::session
