#pragma once

// Where there is no Vulkan device at all, say so instead of passing silently.
#define REQUIRE_DEVICE(engine)                                  \
  if (!(engine).present()) {                                    \
    MESSAGE("this machine has no Vulkan device to embed into"); \
    FAIL("a software device such as llvmpipe is enough");       \
  }
