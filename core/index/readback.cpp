#include "index/readback.hpp"

#include <algorithm>
#include <cstring>

#include "session/run_once.hpp"

namespace proxel::index {
namespace {

// Rows pass through so much memory at a time.
constexpr std::uint64_t readback_bytes = std::uint64_t{32} << 20;

}  // namespace

std::size_t run_length(std::span<const std::uint32_t> numbers) {
  std::size_t next = numbers.empty() ? 0 : 1;
  while (next < numbers.size() && numbers[next] == numbers[next - 1] + 1) ++next;
  return next;
}

void read_back(const Storage& storage, std::span<const std::uint32_t> numbers, float* to) {
  if (numbers.empty()) return;
  const std::uint64_t row_bytes = std::uint64_t{storage.dimensions()} * 4;
  const std::size_t piece = std::clamp<std::uint64_t>(readback_bytes / row_bytes, 1, numbers.size());
  const auto buffer = storage.device().create_buffer(piece * row_bytes, MemoryKind::readback);
  for (; !numbers.empty(); numbers = numbers.subspan(std::min(piece, numbers.size()))) {
    const std::span<const std::uint32_t> part = numbers.first(std::min(piece, numbers.size()));
    session::run_once(storage.device(), [&](Recording& recording) {
      for (std::size_t at = 0, run = 0; at < part.size(); at += run) {
        run = run_length(part.subspan(at));
        storage.record_unpack(recording, part[at], static_cast<std::uint32_t>(run),
                              BufferView(*buffer, at * row_bytes, run * row_bytes));
      }
    });
    std::memcpy(to, buffer->mapped(), part.size() * row_bytes);
    to += part.size() * storage.dimensions();
  }
}

}  // namespace proxel::index
