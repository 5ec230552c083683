#include "session/told.hpp"

#include <algorithm>

namespace proxel::session {

Told::Told(const Progress& progress, std::uint64_t total) : progress_(progress), total_(total) {
  if (progress) watch_.emplace([this](double part) { look(part); });
}

void Told::reached(std::uint64_t done) {
  done_ = done;
  told_ = std::max(told_, done);
  if (!watch_) return;
  progress_(done, total_);
  watch_->looked();
}

Progress Told::as_progress() {
  if (!watch_) return {};
  return [this](std::uint64_t done, std::uint64_t total) {
    total_ = total;
    reached(done);
  };
}

void Told::look(double part) {
  // A block that still runs is not told to have ended.
  const std::uint64_t most = end_ > done_ ? end_ - done_ - 1 : 0;
  const auto more = static_cast<std::uint64_t>(part * static_cast<double>(most));
  told_ = std::max(told_, done_ + std::min(more, most));
  progress_(told_, total_);
}

}  // namespace proxel::session
