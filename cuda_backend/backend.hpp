#pragma once

#include "proxel/device.hpp"

namespace proxel::cuda {

/// The CUDA backend; its devices are found when this is first called.
const Backend& cuda_backend();

}  // namespace proxel::cuda
