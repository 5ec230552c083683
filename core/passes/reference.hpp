#pragma once

#include "proxel/pass.hpp"

/// Defines a pass, which its header declares, and begins its plain reference: PROXEL_PASS(name)(const Pass& pass) { … },
/// in namespace proxel. That is the oracle of the pass's kernels. Buffers are host addresses there, textures linear
/// memory.
#define PROXEL_PASS(name)                                                      \
  namespace reference {                                                        \
  static void name(const Pass& pass);                                          \
  }                                                                            \
  constinit const decltype(passes::name) passes::name(#name, reference::name); \
  void reference::name

/// The same for a pass that has a threaded, vectorised form besides, cpu::name, which stands in core/cpu/ and
/// writes what the reference writes, to the bit.
#define PROXEL_THREADED_PASS(name)                                                        \
  namespace reference {                                                                   \
  static void name(const Pass& pass);                                                     \
  }                                                                                       \
  namespace cpu {                                                                         \
  void name(const Pass& pass, Machine& machine);                                          \
  }                                                                                       \
  constinit const decltype(passes::name) passes::name(#name, reference::name, cpu::name); \
  void reference::name

namespace proxel::reference {

/// Runs the plain reference of a pass.
inline void run(const Pass& pass) { pass.kind->reference(pass); }

}  // namespace proxel::reference
