#pragma once

#include <span>

#include "proxel/pass.hpp"

namespace proxel {

/// What a device is, too, that prepares several passes sooner together than one after another.
class PreparesTogether {
 public:
  /// Device::prepare() of each. Has prepared those that could be where it throws.
  virtual void prepare_all(std::span<const Pass> passes) = 0;

 protected:
  ~PreparesTogether() = default;
};

}  // namespace proxel
