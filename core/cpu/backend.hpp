#pragma once

#include "proxel/device.hpp"

namespace proxel::cpu {

/// The host as a backend: device 0, "cpu", uses all of its threads and vector
/// instructions; device 1, "cpu:reference", runs the plain reference of every
/// pass on one thread. Lives as long as the program.
const Backend& cpu_backend();

}  // namespace proxel::cpu
