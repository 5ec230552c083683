// layout_step: moves each vertex of a graph towards its neighbours and away from vertices drawn at random, all at once
// (proxel/arithmetic/layout_force.h): with the force F, summed from zero over its neighbours as they are listed and then
// over the draws, the new position is placed(position + rate F). A neighbour that is not below `rows`, or is the vertex
// itself, exerts no force; neither does a draw of itself.
// Constants: dimensions, of a position.
// Grid: x strides over vertices.
#ifndef PROXEL_PASSES_LAYOUT_STEP_H
#define PROXEL_PASSES_LAYOUT_STEP_H
#include "types.h"
PROXEL_PASS_BEGIN
PROXEL_CONSTANT most_layout_dimensions = 3u;
struct LayoutStepParameters {
  PROXEL_ADDRESS indices;  // 32-bit [rows x neighbors]
  PROXEL_ADDRESS from;     // binary32 [rows x dimensions]: positions, as placed() leaves them
  PROXEL_ADDRESS to;       // out: the same; no part of `from`
  PROXEL_UINT rows;        // 1 … 2^31
  PROXEL_UINT neighbors;
  PROXEL_UINT draws;       // vertices that each is pushed away from
  PROXEL_UINT step;        // of which the draws depend
  float repulsion;         // strength of a push, 0 … 1,000
  float rate;              // 0 … 100
};
#define PROXEL_LAYOUT_STEP_CONSTANTS(constant) \
  constant(0, PROXEL_UINT, dimensions, DIMENSIONS, 2u)
PROXEL_CONSTANTS(LayoutStep, PROXEL_LAYOUT_STEP_CONSTANTS)
#ifdef __cplusplus
extern const PassKindOf<LayoutStepParameters, LayoutStepConstants> layout_step;
/// @param dimensions  1 … most_layout_dimensions
Pass make_layout_step(const LayoutStepParameters& parameters, std::uint32_t dimensions);
#endif
PROXEL_PASS_END
#endif
