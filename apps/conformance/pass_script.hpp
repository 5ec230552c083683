#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "case.hpp"
#include "guarded_buffer.hpp"
#include "proxel/device.hpp"
#include "proxel/pass.hpp"

namespace proxel::conformance {

/// Buffers, textures and the passes over them, set up on one device.
class PassScript {
 public:
  explicit PassScript(Device& device) : device_(device) {}

  /// Adds memory that passes may only read. Returns its address.
  template <typename T>
  std::uint64_t input(std::string name, const std::vector<T>& values, std::uint32_t skew = 0) {
    return add(std::move(name), GuardedBuffer::Role::input, bytes_of(values), skew);
  }
  /// Adds memory whose final contents are compared. Returns its address.
  template <typename T>
  std::uint64_t output(std::string name, const std::vector<T>& initial) {
    return add(std::move(name), GuardedBuffer::Role::output, bytes_of(initial), 0);
  }
  /// The same, of `bytes` bytes that no pass has written.
  std::uint64_t output(std::string name, std::uint64_t bytes) {
    return add(std::move(name), GuardedBuffer::Role::output, unwritten(bytes), 0);
  }
  /// Adds memory that passes may clobber and that is not compared. Returns its address.
  std::uint64_t workspace(std::uint64_t bytes) {
    return add("workspace", GuardedBuffer::Role::scratch, unwritten(bytes), 0);
  }
  /// Adds memory that passes clobber. Returns its address.
  std::uint64_t scratch(std::string name, std::uint64_t bytes) {
    return add(std::move(name), GuardedBuffer::Role::scratch, unwritten(bytes), 0);
  }
  /// The same with contents to begin with.
  template <typename T>
  std::uint64_t scratch(std::string name, const std::vector<T>& initial) {
    return add(std::move(name), GuardedBuffer::Role::scratch, bytes_of(initial), 0);
  }
  /// Some passes are sized by it.
  std::uint32_t subgroup_size() const { return device_.capabilities().subgroup_size; }
  Texture& texture(std::uint32_t width, std::uint32_t height, std::uint32_t layers, TexelFormat format);

  /// Passes run in the order in which they are added, each after the one before.
  void add_pass(const Pass& pass) { passes_.push_back(pass); }

  /// Whether the device supports every pass, or which it does not and why.
  Support support() const;
  /// Runs all passes, waits, and fetches every buffer.
  void run();
  /// Writes outside a buffer or into an input; empty where there were none.
  std::string damage() const;
  /// Name and contents of every output, in the order in which they were added.
  std::vector<std::pair<std::string, std::vector<std::byte>>> answers() const;

 private:
  std::uint64_t add(std::string name, GuardedBuffer::Role role, std::vector<std::byte> contents, std::uint32_t skew);

  Device& device_;
  std::vector<std::unique_ptr<GuardedBuffer>> buffers_;
  std::vector<std::unique_ptr<Texture>> textures_;
  std::vector<Pass> passes_;
};

/// Writes a script: the same buffers and passes on whichever device.
using PassProgram = std::function<void(PassScript&)>;

/// Runs the program on the reference device now and compares other devices
/// with what came out, bit for bit.
std::unique_ptr<Check> check_passes(const Context& context, PassProgram program);

}  // namespace proxel::conformance
