// What vk_backend/trial.cpp asks of a device when it is opened.
#ifndef PROXEL_TRIAL_GLSL
#define PROXEL_TRIAL_GLSL
#include "address.glsl"
#include "workgroup.glsl"

layout(push_constant, std430) uniform Push {
  uvec2 numbers;  // 32-bit
  uvec2 results;  // out: 32-bit
  uvec2 missing;  // null
} p;

#endif
