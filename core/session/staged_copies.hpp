#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "proxel/device.hpp"

namespace proxel::session {

/// Waits for the copies of a device before the memory goes that they read and write.
class CopiesEnd {
 public:
  explicit CopiesEnd(Device& device) : device_(device) {}
  ~CopiesEnd();
  CopiesEnd(const CopiesEnd&) = delete;
  CopiesEnd& operator=(const CopiesEnd&) = delete;

 private:
  Device& device_;
};

/// Room of a piece, where what is copied is larger.
inline constexpr std::uint64_t staging_bytes = std::uint64_t{32} << 20;

/// Host memory on its way to a device beside submitted work, piece by piece: three take turns, so that one is
/// written while the link has another behind that which travels. Goes before what it copies to. One at a time on a device.
class StagedCopies {
 public:
  /// @param piece_bytes  room of a piece
  StagedCopies(Device& device, std::uint64_t piece_bytes);

  std::uint64_t piece_bytes() const { return pieces_[0]->bytes(); }

  /// Before the first piece: what was begun and broken off may still travel.
  void begin();
  /// Memory for the next piece.
  void* next();
  /// Sends what has been written there. @param to  as many bytes of device memory
  void send(const BufferView& to);
  /// Returns when all pieces have arrived.
  void finish() { device_.wait_copies(); }

 private:
  Device& device_;
  std::array<std::unique_ptr<Buffer>, 3> pieces_;
  std::uint64_t sent_ = 0;  // since begin()
  CopiesEnd end_{device_};
};

}  // namespace proxel::session
