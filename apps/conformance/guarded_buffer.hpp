#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "proxel/device.hpp"

namespace proxel::conformance {

/// Device memory between two regions of a known pattern, so that a write
/// outside is seen, and whose own contents are known before and after.
class GuardedBuffer {
 public:
  enum class Role {
    input,    ///< must be found unchanged
    output,   ///< what it holds afterwards is the answer
    scratch,  ///< anything may be written, but only inside
  };

  /// Uploads the contents and the guards, and waits.
  /// @param skew  bytes past a multiple of 256 at which the contents start, a
  ///              multiple of 4 below 256
  GuardedBuffer(Device& device, std::string name, Role role, std::vector<std::byte> contents, std::uint32_t skew = 0);

  const std::string& name() const { return name_; }
  Role role() const { return role_; }
  /// Address of the first byte of the contents.
  std::uint64_t address() const { return view().address(); }
  /// The contents without the guards.
  BufferView view() const { return {*buffer_, offset_, bytes_}; }

  /// Uploads contents and guards anew.
  void restore();
  /// Downloads everything; call before damage() and contents(). Waits.
  void fetch();
  /// What was written where it may not be; empty where nothing was.
  std::string damage() const;
  /// The contents as fetched.
  std::vector<std::byte> contents() const;

 private:
  Device& device_;
  std::string name_;
  Role role_;
  std::uint64_t offset_ = 0;
  std::uint64_t bytes_ = 0;
  std::vector<std::byte> before_;  // guards included
  std::vector<std::byte> after_;
  std::unique_ptr<Buffer> buffer_;
};

/// Fetches buffers. Returns what was written where it may not be in the first of which that is so; empty if in none.
std::string fetch_all(const std::vector<std::unique_ptr<GuardedBuffer>>& buffers);

/// Bytes that no correct pass leaves behind by accident, to start outputs with.
std::vector<std::byte> unwritten(std::uint64_t bytes);

/// The bytes of an array.
template <typename T>
std::vector<std::byte> bytes_of(const T* first, std::uint64_t count) {
  const auto* bytes = reinterpret_cast<const std::byte*>(first);
  return {bytes, bytes + count * sizeof(T)};
}
template <typename T>
std::vector<std::byte> bytes_of(const std::vector<T>& values) {
  return bytes_of(values.data(), values.size());
}

}  // namespace proxel::conformance
