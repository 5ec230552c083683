// What the engine's shaders share: data by address, and where a point is drawn.
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require

layout(buffer_reference, std430, buffer_reference_align = 4) buffer Floats { float values[]; };
layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer Uints { uint values[]; };
