#include "session/staged_copies.hpp"

namespace proxel::session {

CopiesEnd::~CopiesEnd() {
  try {
    device_.wait_copies();
  } catch (const Error&) {
    // a lost device copies nothing any more
  }
}

StagedCopies::StagedCopies(Device& device, std::uint64_t piece_bytes) : device_(device) {
  for (auto& piece : pieces_) piece = device.create_buffer(piece_bytes, MemoryKind::upload);
}

void StagedCopies::begin() {
  device_.wait_copies();
  sent_ = 0;
}

void* StagedCopies::next() {
  // The piece may still be read by the copy of it; those behind go on.
  if (sent_ >= pieces_.size()) device_.wait_copies(static_cast<std::uint32_t>(pieces_.size() - 1));
  return pieces_[sent_ % pieces_.size()]->mapped();
}

void StagedCopies::send(const BufferView& to) {
  device_.start_copy(BufferView(*pieces_[sent_ % pieces_.size()], 0, to.bytes), to);
  ++sent_;
}

}  // namespace proxel::session
