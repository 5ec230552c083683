#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace demo {

/// Which images are in which cells of a few large pictures. There are far fewer cells than there
/// may be images: those that were not seen for longest make room.
class AtlasCells {
 public:
  /// @param cells  of all pages together, at least 1
  explicit AtlasCells(std::uint32_t cells) : owners_(cells), seen_(cells) {}

  struct Cell {
    std::uint32_t number;
    bool fresh;  ///< the image has just been given it: its pixels are not there yet
  };
  /// The cell of an image that is seen in this frame. None where all cells are taken by images
  /// seen in this frame.
  std::optional<Cell> cell_of(std::uint32_t image);
  /// Whether it has a cell already.
  bool holds(std::uint32_t image) const { return cells_.contains(image); }
  void next_frame() { ++frame_; }
  void clear();

 private:
  std::vector<std::optional<std::uint32_t>> owners_;
  std::vector<std::uint64_t> seen_;  // in which frame
  std::unordered_map<std::uint32_t, std::uint32_t> cells_;
  std::uint64_t frame_ = 1;
  std::uint32_t next_ = 0;  // the first that was never used
};

}  // namespace demo
