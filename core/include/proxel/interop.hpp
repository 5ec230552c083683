#pragma once

// One GPU, two devices: memory and semaphores that a device of one backend makes
// and one of another uses, handed over as file descriptors (Linux). An index that is
// built through CUDA is searched from a Vulkan frame without a copy.
//
// Devices of one GPU have the same DeviceInfo::uuid; memory of one GPU means nothing
// to another. Nothing is shared by accident: what both sides touch is ordered
// by semaphores, or by waiting on the host.

#include <cstdint>
#include <memory>

#include "proxel/device.hpp"
#include "proxel/export.h"

PROXEL_PUBLIC_BEGIN
namespace proxel::interop {

/// Owns a file descriptor.
class FileDescriptor {
 public:
  explicit FileDescriptor(int number = -1) : number_(number) {}
  ~FileDescriptor();
  FileDescriptor(FileDescriptor&& other) noexcept : number_(other.release()) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept;

  int number() const { return number_; }  ///< -1: none
  /// Gives it away: it is closed by whoever takes it.
  int release();

 private:
  int number_;
};

/// Memory on its way from one device to another.
struct ExportedMemory {
  FileDescriptor descriptor;
  std::uint64_t bytes = 0;             ///< of the buffer, which is the allocation's beginning
  std::uint64_t allocation_bytes = 0;  ///< of the memory that was allocated
  bool dedicated = false;              ///< whether it was allocated for this buffer alone
};

/// A counter that only grows, for work of either device to wait for and to set: a
/// timeline semaphore of Vulkan. proxel/vulkan.hpp and proxel/cuda.hpp give it to
/// submissions and streams.
class Semaphore {
 public:
  virtual ~Semaphore() = default;
  Semaphore() = default;
  Semaphore(const Semaphore&) = delete;
  Semaphore& operator=(const Semaphore&) = delete;
};

/// What a device shares with others: Device::sharing(). What a function needs is
/// what the Support beside it says; otherwise it throws Error(unsupported) with that reason.
class Sharing {
 public:
  virtual ~Sharing() = default;

  virtual Support exports_memory() const = 0;
  virtual Support imports_memory() const = 0;
  virtual Support exports_semaphores() const = 0;
  virtual Support imports_semaphores() const = 0;

  /// Device memory that can be exported. Throws as Device::create_buffer() does.
  virtual std::unique_ptr<Buffer> create_buffer(std::uint64_t bytes) = 0;
  /// A descriptor of memory that create_buffer() made. The memory stays until both
  /// sides have freed their buffers.
  virtual ExportedMemory export_memory(const Buffer& buffer) = 0;
  /// The same memory as a buffer of this device.
  virtual std::unique_ptr<Buffer> import_memory(ExportedMemory memory) = 0;

  /// @param value  what it counts from
  virtual std::unique_ptr<Semaphore> create_semaphore(std::uint64_t value) = 0;
  virtual FileDescriptor export_semaphore(const Semaphore& semaphore) = 0;
  virtual std::unique_ptr<Semaphore> import_semaphore(FileDescriptor semaphore) = 0;
};

/// Whether what one device exports another can import: both can, and they are the same GPU.
Support shares_memory(Device& exporter, Device& importer);
Support shares_semaphores(Device& exporter, Device& importer);

/// Memory that two devices reach, each through a buffer of its own. Freed when work
/// of both that uses it has finished; both devices outlive it.
class SharedBuffer {
 public:
  /// Throws Error(unsupported) with shares_memory()'s reason, and as create_buffer() does.
  SharedBuffer(Device& exporter, Device& importer, std::uint64_t bytes);

  Buffer& exported() const { return *exported_; }
  Buffer& imported() const { return *imported_; }

 private:
  std::unique_ptr<Buffer> exported_, imported_;
};

/// A semaphore that two devices know.
class SharedSemaphore {
 public:
  /// Throws Error(unsupported) with shares_semaphores()'s reason.
  SharedSemaphore(Device& exporter, Device& importer, std::uint64_t value = 0);

  Semaphore& exported() const { return *exported_; }
  Semaphore& imported() const { return *imported_; }

 private:
  std::unique_ptr<Semaphore> exported_, imported_;
};

}  // namespace proxel::interop
PROXEL_PUBLIC_END
