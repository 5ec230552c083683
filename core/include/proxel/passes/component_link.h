// component_link: joins the components of the two rows of every edge of a k-NN graph. Components are trees: each row
// names one of its tree whose number is not larger, the root itself. The larger root is hung under the smaller by
// compare-and-swap, until both ends have one root (Jaiganesh and Burtscher 2018, ECL-CC): whatever the order, the root
// is the smallest row of its component.
// Grid: x strides over the rows.
#ifndef PROXEL_PASSES_COMPONENT_LINK_H
#define PROXEL_PASSES_COMPONENT_LINK_H
#include "types.h"
PROXEL_PASS_BEGIN
struct ComponentLinkParameters {
  PROXEL_ADDRESS indices;     // 32-bit [rows x neighbors], what is not below `rows` is no edge
  PROXEL_ADDRESS distances;   // binary32 [rows x neighbors]; 0: edges of any length
  PROXEL_ADDRESS components;  // in and out: 32-bit [rows], by component_begin
  PROXEL_UINT rows;           // at least 1
  PROXEL_UINT neighbors;      // at least 1
  float limit;                // edges beyond it are none, those of NaN among them
  PROXEL_UINT largest_first;  // not 0: below it instead (ip)
  PROXEL_UINT mutual;         // not 0: only edges whose other end has the row among its neighbours as well
  PROXEL_UINT reserved;
};
#ifdef __cplusplus
extern const PassKindOf<ComponentLinkParameters> component_link;
Pass make_component_link(const ComponentLinkParameters& parameters);
#endif
PROXEL_PASS_END
#endif
