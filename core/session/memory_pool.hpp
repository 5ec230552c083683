#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "proxel/device.hpp"

namespace proxel::session {

/// Memory that is lent to one user after another: to make and to free it takes a device longer than most searches take
/// (docs/lab/few-queries.md). Lends and takes back on any thread: a plan may go on another than it was made on. Outlives what it
/// has lent, and is outlived by the device.
class MemoryPool {
  struct GiveBack {
    MemoryPool* to;
    MemoryKind kind;
    void operator()(Buffer* buffer) const noexcept;
  };

 public:
  explicit MemoryPool(Device& device);
  MemoryPool(const MemoryPool&) = delete;
  MemoryPool& operator=(const MemoryPool&) = delete;

  /// Memory that goes back to the pool with this; it holds whatever its last user left.
  class Lent {
   public:
    Lent() = default;
    explicit operator bool() const { return buffer_ != nullptr; }
    /// As many bytes as were asked for, of a buffer that may be larger; empty where none were.
    BufferView view() const { return buffer_ ? BufferView(*buffer_, 0, bytes_) : BufferView(); }
    void* mapped() const { return buffer_ ? buffer_->mapped() : nullptr; }

   private:
    friend MemoryPool;
    std::unique_ptr<Buffer, GiveBack> buffer_;
    std::uint64_t bytes_ = 0;
  };
  /// @param bytes  0: none is lent
  /// Throws Error as Device::create_buffer() does.
  Lent lend(std::uint64_t bytes, MemoryKind kind);

  /// Frees memory that is not lent, the largest first, until no more than `most` bytes are left of it. Nothing submitted
  /// uses it, as of lend().
  void shrink(std::uint64_t most) noexcept;
  /// Whether there is memory that is not lent.
  bool has_free() const;

 private:
  struct Free {
    std::unique_ptr<Buffer> buffer;
    MemoryKind kind;
  };
  std::unique_ptr<Buffer> take(std::uint64_t bytes, MemoryKind kind);

  Device& device_;
  mutable std::mutex mutex_;
  std::vector<Free> free_;
};

}  // namespace proxel::session
