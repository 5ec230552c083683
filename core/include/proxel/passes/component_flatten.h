// component_flatten: every row names the root of its tree, the smallest row of its component, and roots are counted.
// Grid: x strides over the rows.
#ifndef PROXEL_PASSES_COMPONENT_FLATTEN_H
#define PROXEL_PASSES_COMPONENT_FLATTEN_H
#include "types.h"
PROXEL_PASS_BEGIN
struct ComponentFlattenParameters {
  PROXEL_ADDRESS components;  // in and out: 32-bit [rows], by component_link
  PROXEL_ADDRESS count;       // in and out: 32-bit, to which the number of roots is added
  PROXEL_UINT rows;           // at least 1
  PROXEL_UINT reserved;
};
#ifdef __cplusplus
extern const PassKindOf<ComponentFlattenParameters> component_flatten;
Pass make_component_flatten(const ComponentFlattenParameters& parameters);
#endif
PROXEL_PASS_END
#endif
