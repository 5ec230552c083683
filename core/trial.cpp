#include "proxel/trial.hpp"

namespace proxel {

#ifdef PROXEL_WITH_VULKAN
namespace vulkan {
// Null for a device of another backend.
const Trial* trial_of(const Device& device);
}  // namespace vulkan
#endif

const Trial& trial_of(const Device& device) {
#ifdef PROXEL_WITH_VULKAN
  if (const Trial* trial = vulkan::trial_of(device)) return *trial;
#else
  static_cast<void>(device);
#endif
  // The processor and CUDA as it is compiled for keep them.
  static const Trial& plain = *new Trial;
  return plain;
}

}  // namespace proxel
