// Trees of rows (component_link.h), which invocations read and change at the same time. What a row names only ever
// becomes smaller, and stays an ancestor. volatile is coherent as well; saying both is not valid SPIR-V.
#ifndef PROXEL_COMPONENTS_GLSL
#define PROXEL_COMPONENTS_GLSL
#include "address.glsl"

layout(buffer_reference, std430, buffer_reference_align = 4) volatile buffer Components { uint values[]; };

uint component_root(Components components, uint row) {
  uint above = components.values[row];
  while (above != row) {
    const uint next = components.values[above];
    // The tree becomes flatter on the way.
    if (next != above) atomicMin(components.values[row], next);
    row = above;
    above = next;
  }
  return row;
}

#endif
