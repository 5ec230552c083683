#pragma once

namespace proxel::tool {

/// What scripts can rely on, of every program and command.
enum ExitCode : int {
  exit_success = 0,
  exit_answer_is_no = 1,    ///< results differ, a conformance case failed
  exit_bad_input = 2,       ///< wrong usage, a missing or malformed file
  exit_device_failure = 3,  ///< no such device, lost, out of memory, driver error
  exit_cannot_write = 4,    ///< the system refused to write an output: full disk, read-only folder
  exit_interrupted = 130,   ///< SIGINT, Ctrl-C
  exit_terminated = 143,    ///< SIGTERM
};

}  // namespace proxel::tool
