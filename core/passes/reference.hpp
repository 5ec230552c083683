#pragma once

#include <span>

#include "proxel/pass.hpp"

namespace proxel::reference {

// The plain reference of each pass, named as the pass: the oracle of its
// kernels. Buffers are host addresses, textures linear memory.
#define PROXEL_PASS(name) void name(const Pass& pass);
#include "proxel_pass_names.inc"
#undef PROXEL_PASS

}  // namespace proxel::reference
