#pragma once

#include <string>

#include "bench/recorder.hpp"

namespace proxel::tool {

/// What a run's answers came to, in a sentence.
std::string verdict(const Recorder& recorder);

/// An ExitCode: success, an answer that differs, or a device that failed.
int exit_code(const Recorder& recorder);

}  // namespace proxel::tool
