#include "guarded_buffer.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace proxel::conformance {
namespace {

// Bytes on either side: a multiple of 256, so that the contents keep the alignment
// that buffers have.
constexpr std::uint64_t guard_bytes = 2048;

// Differs from byte to byte, so that a shifted copy is seen as well.
std::byte guard(std::uint64_t position) { return static_cast<std::byte>(0xA5u ^ (position * 29)); }

}  // namespace

std::string fetch_all(const std::vector<std::unique_ptr<GuardedBuffer>>& buffers) {
  for (const auto& buffer : buffers) {
    buffer->fetch();
    if (std::string damage = buffer->damage(); !damage.empty()) return damage;
  }
  return {};
}

std::vector<std::byte> unwritten(std::uint64_t bytes) {
  std::vector<std::byte> contents(bytes);
  for (std::uint64_t i = 0; i < bytes; ++i) contents[i] = static_cast<std::byte>(0xC3u + i % 4);
  return contents;
}

GuardedBuffer::GuardedBuffer(Device& device, std::string name, Role role, std::vector<std::byte> contents,
                             std::uint32_t skew)
    : device_(device), name_(std::move(name)), role_(role), offset_(guard_bytes + skew), bytes_(contents.size()) {
  // Copies move whole words.
  const std::uint64_t padded = (offset_ + bytes_ + guard_bytes + 3) / 4 * 4;
  before_.resize(padded);
  for (std::uint64_t i = 0; i < padded; ++i) before_[i] = guard(i);
  std::copy(contents.begin(), contents.end(), before_.begin() + static_cast<std::ptrdiff_t>(offset_));
  buffer_ = device.create_buffer(padded, MemoryKind::device);
  restore();
}

void GuardedBuffer::restore() { upload(device_, *buffer_, before_.data()); }

void GuardedBuffer::fetch() {
  after_.resize(before_.size());
  download(device_, *buffer_, after_.data());
}

std::string GuardedBuffer::damage() const {
  for (std::uint64_t i = 0; i < before_.size(); ++i) {
    const bool inside = i >= offset_ && i < offset_ + bytes_;
    if (before_[i] == after_[i] || (inside && role_ != Role::input)) continue;
    if (inside) return fmt::format("{}: byte {} of this input was changed", name_, i - offset_);
    if (i < offset_) return fmt::format("{}: a byte {} bytes before its start was written", name_, offset_ - i);
    return fmt::format("{}: a byte {} bytes past its end was written", name_, i - offset_ - bytes_ + 1);
  }
  return {};
}

std::vector<std::byte> GuardedBuffer::contents() const {
  const auto first = after_.begin() + static_cast<std::ptrdiff_t>(offset_);
  return {first, first + static_cast<std::ptrdiff_t>(bytes_)};
}

}  // namespace proxel::conformance
