#version 460
#extension GL_GOOGLE_include_directive : require
#define INTEGERS
#include "screen_scalar.glsl"
