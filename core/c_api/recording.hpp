#pragma once

#include "c_api/handles.hpp"

namespace proxel::c_api {

/// What can be recorded into. Throws Error(invalid_argument) for null, and for a recording of proxel's own
/// that has not been begun.
HeldRecording& writable(proxel_recording* recording);

}  // namespace proxel::c_api
