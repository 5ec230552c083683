#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <vector>

#include "proxel/device.hpp"

namespace proxel::strings {

/// Lists of 32-bit words, one behind the other in one buffer, brought there at once.
class UploadedWords {
 public:
  /// @param lists  none of them empty
  UploadedWords(Device& device, std::initializer_list<const std::vector<std::uint32_t>*> lists);

  /// The address of list i, 256-byte aligned.
  std::uint64_t address(std::size_t i) const { return memory_->address() + offsets_[i]; }
  BufferView view(std::size_t i) const;
  /// The buffer, for who uploaded but one list.
  std::unique_ptr<Buffer> release() { return std::move(memory_); }

 private:
  std::vector<std::uint64_t> offsets_;
  std::unique_ptr<Buffer> memory_;
};

}  // namespace proxel::strings
