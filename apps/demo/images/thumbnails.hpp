#pragma once

#include <optional>
#include <vector>

#include "images/atlas_cells.hpp"
#include "images/collection.hpp"
#include "shell/pictures.hpp"

namespace demo {

/// Thumbnails in a few large textures, each brought there when it is seen.
class Thumbnails {
 public:
  /// Those of another collection, from now on.
  void reset(Pictures& pictures, std::uint32_t side);

  struct Shown {
    ImTextureID id;
    ImVec2 least, most;  ///< of the texture, 0…1
  };
  /// Once a frame, before at().
  void begin_frame();
  /// Where an image is to be found; none where it has to wait for a later frame.
  std::optional<Shown> at(Pictures& pictures, const Collection& collection, std::uint32_t image);
  /// Whether some had to wait.
  bool waiting() const { return waiting_; }

 private:
  std::uint32_t side_ = 0, per_row_ = 0;
  std::optional<AtlasCells> cells_;
  std::vector<Picture> pages_;
  std::uint32_t brought_ = 0;  // in this frame
  bool waiting_ = false;
};

}  // namespace demo
