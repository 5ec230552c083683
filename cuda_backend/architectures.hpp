#pragma once

#include <string>
#include <string_view>

#include "proxel/pass.hpp"

namespace proxel::cuda {

/// Whether kernels built for `architectures` run on a device of compute
/// capability major.minor. Found from the numbers alone, because asking the
/// runtime would create a context, with its memory, on every device listed.
/// @param architectures  as CMAKE_CUDA_ARCHITECTURES, separated by commas:
///                       "80-real,90a-real,80-virtual"
Support kernels_run_on(std::string_view architectures, int major, int minor);

}  // namespace proxel::cuda
