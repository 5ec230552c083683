#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "proxel/export.h"

PROXEL_PUBLIC_BEGIN
namespace proxel {

/// What kind of failure an Error reports. The numeric values are stable.
enum class ErrorCode {
  invalid_argument = 1,  ///< a value given by the caller is outside what is allowed
  unsupported = 2,       ///< the request is valid, but this device or method cannot serve it
  not_found = 3,         ///< a file, device or backend that was named does not exist
  malformed_file = 4,    ///< a file is short, damaged or not what its name says
  input_output = 5,      ///< the operating system refused a read or a write
  out_of_memory = 6,     ///< host or device memory is exhausted; existing objects stay usable
  device_lost = 7,       ///< the device stopped answering; its objects can only be destroyed
  backend_failure = 8,   ///< the driver reported an error that has no better name
};

/// The code's name as written above, for example "invalid_argument".
std::string_view to_string(ErrorCode code);

/// The one exception type that proxel throws.
/// It is thrown before any device work starts, unless the code is
/// out_of_memory, device_lost or backend_failure.
class Error : public std::runtime_error {
 public:
  /// @param subject  the argument, file or device that is at fault ("k", "rows.npy", "vulkan:1")
  /// @param message  what was given and what is allowed, without the subject
  /// Both become one line that a terminal shows as it is, whatever names they hold: control characters are written
  /// as \n or \x1b, and what is longer than 1,000 bytes (a subject: than 300) loses its middle.
  Error(ErrorCode code, const std::string& subject, const std::string& message);

  ErrorCode code() const noexcept { return code_; }
  const std::string& subject() const noexcept { return subject_; }

 private:
  ErrorCode code_;
  std::string subject_;
};

}  // namespace proxel
PROXEL_PUBLIC_END
