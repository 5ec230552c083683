// Every pass is launched with a workgroup size chosen by its maker.
#ifndef PROXEL_WORKGROUP_GLSL
#define PROXEL_WORKGROUP_GLSL
layout(local_size_x_id = 4) in;
layout(constant_id = 5) const uint WORKGROUP_SIZE = 128u;
#endif
