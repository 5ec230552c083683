// component_begin: every row is a component of its own, before component_link joins them.
// Grid: x strides over the rows.
#ifndef PROXEL_PASSES_COMPONENT_BEGIN_H
#define PROXEL_PASSES_COMPONENT_BEGIN_H
#include "types.h"
PROXEL_PASS_BEGIN
struct ComponentBeginParameters {
  PROXEL_ADDRESS components;  // out: 32-bit [rows]: row i has i
  PROXEL_ADDRESS count;       // out: 32-bit, 0
  PROXEL_UINT rows;           // at least 1
  PROXEL_UINT reserved;
};
#ifdef __cplusplus
extern const PassKindOf<ComponentBeginParameters> component_begin;
Pass make_component_begin(const ComponentBeginParameters& parameters);
#endif
PROXEL_PASS_END
#endif
