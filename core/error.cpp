#include "proxel/error.hpp"

#include "printable.hpp"

namespace proxel {

std::string_view to_string(ErrorCode code) {
  switch (code) {
    case ErrorCode::invalid_argument:
      return "invalid_argument";
    case ErrorCode::unsupported:
      return "unsupported";
    case ErrorCode::not_found:
      return "not_found";
    case ErrorCode::malformed_file:
      return "malformed_file";
    case ErrorCode::input_output:
      return "input_output";
    case ErrorCode::out_of_memory:
      return "out_of_memory";
    case ErrorCode::device_lost:
      return "device_lost";
    case ErrorCode::backend_failure:
      return "backend_failure";
  }
  return "unknown";
}

Error::Error(ErrorCode code, const std::string& subject, const std::string& message)
    : std::runtime_error(printable(subject + ": " + message, most_of_line)),
      code_(code),
      subject_(printable(subject, most_of_subject)) {}

}  // namespace proxel
