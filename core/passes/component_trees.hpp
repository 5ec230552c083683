#pragma once

#include <cstdint>

namespace proxel::passes {

/// The root of a row's tree; trees become flatter on the way (component_link.h).
inline std::uint32_t component_root(std::uint32_t* components, std::uint32_t row) {
  while (components[row] != row) {
    components[row] = components[components[row]];
    row = components[row];
  }
  return row;
}

}  // namespace proxel::passes
