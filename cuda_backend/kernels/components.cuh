#pragma once

// Trees of rows (proxel/passes/component_link.h), which threads read and change at the same time. What a row names only
// ever becomes smaller, and stays an ancestor.

namespace proxel::cuda {

__device__ inline unsigned component_root(volatile unsigned* components, unsigned row) {
  unsigned above = components[row];
  while (above != row) {
    const unsigned next = components[above];
    // The tree becomes flatter on the way.
    if (next != above) atomicMin(const_cast<unsigned*>(components) + row, next);
    row = above;
    above = next;
  }
  return row;
}

}  // namespace proxel::cuda
