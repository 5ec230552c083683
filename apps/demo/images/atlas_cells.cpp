#include "images/atlas_cells.hpp"

#include <algorithm>

namespace demo {

std::optional<AtlasCells::Cell> AtlasCells::cell_of(std::uint32_t image) {
  if (const auto known = cells_.find(image); known != cells_.end()) {
    seen_[known->second] = frame_;
    return Cell{known->second, false};
  }
  // The first that is empty, otherwise the one that was seen least recently.
  std::uint32_t room = next_;
  if (next_ < owners_.size())
    ++next_;
  else
    room = static_cast<std::uint32_t>(std::ranges::min_element(seen_) - seen_.begin());
  if (seen_[room] == frame_) return std::nullopt;
  if (owners_[room]) cells_.erase(*owners_[room]);
  owners_[room] = image;
  seen_[room] = frame_;
  cells_[image] = room;
  return Cell{room, true};
}

void AtlasCells::clear() {
  std::ranges::fill(owners_, std::nullopt);
  std::ranges::fill(seen_, 0);
  cells_.clear();
  next_ = 0;
}

}  // namespace demo
