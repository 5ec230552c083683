#pragma once

#include "proxel/device.hpp"

namespace proxel::cpu {

/// Host memory that starts at a multiple of 256 bytes, or of a huge page where
/// it is large. Contents undefined.
class AlignedMemory {
 public:
  /// Throws Error(out_of_memory).
  explicit AlignedMemory(std::uint64_t bytes);
  ~AlignedMemory();
  AlignedMemory(const AlignedMemory&) = delete;
  AlignedMemory& operator=(const AlignedMemory&) = delete;

  void* data() const { return data_; }
  std::uint64_t address() const { return reinterpret_cast<std::uintptr_t>(data_); }

 private:
  void* data_ = nullptr;
};

class HostBuffer : public Buffer {
 public:
  HostBuffer(const Device& device, std::uint64_t bytes, MemoryKind kind) : memory_(bytes) {
    owner_ = &device;
    bytes_ = bytes;
    address_ = memory_.address();
    mapped_ = kind == MemoryKind::device ? nullptr : memory_.data();
  }

 private:
  AlignedMemory memory_;
};

/// Memory of the caller's, which the processor reads as it lies.
class PinnedBuffer : public Buffer {
 public:
  PinnedBuffer(const Device& device, const void* memory, std::uint64_t bytes) {
    owner_ = &device;
    bytes_ = bytes;
    mapped_ = const_cast<void*>(memory);
    address_ = reinterpret_cast<std::uintptr_t>(memory);
  }
};

class HostTexture : public Texture {
 public:
  HostTexture(std::uint32_t width, std::uint32_t height, std::uint32_t layers, TexelFormat format)
      : memory_(std::uint64_t{width} * height * layers * 16) {
    width_ = width;
    height_ = height;
    layers_ = layers;
    format_ = format;
    address_ = memory_.address();
  }

 private:
  AlignedMemory memory_;
};

}  // namespace proxel::cpu
