#pragma once

#include "cpu/kernels.hpp"
#include "cpu/workers.hpp"
#include "proxel/pass.hpp"

namespace proxel::cpu {

/// What the threaded form of a pass (PROXEL_THREADED_PASS) runs with.
struct Machine {
  Workers& workers;
  const Kernels& kernels;
};

}  // namespace proxel::cpu
