#include "strings/uploaded_words.hpp"

#include <cstring>

#include "session/run_once.hpp"
#include "search/check.hpp"

namespace proxel::strings {

UploadedWords::UploadedWords(Device& device, std::initializer_list<const std::vector<std::uint32_t>*> lists) {
  std::uint64_t bytes = 0;
  for (const auto* list : lists) {
    offsets_.push_back(bytes);
    bytes += search::align_scratch(list->size() * 4);
  }
  const auto staging = device.create_buffer(bytes, MemoryKind::upload);
  memory_ = device.create_buffer(bytes, MemoryKind::device);
  std::size_t i = 0;
  for (const auto* list : lists)
    std::memcpy(static_cast<std::byte*>(staging->mapped()) + offsets_[i++], list->data(), list->size() * 4);
  session::run_once(device, [&](Recording& recording) { recording.copy(*staging, *memory_); });
}

BufferView UploadedWords::view(std::size_t i) const {
  const std::uint64_t end = i + 1 < offsets_.size() ? offsets_[i + 1] : memory_->bytes();
  return {*memory_, offsets_[i], end - offsets_[i]};
}

}  // namespace proxel::strings
