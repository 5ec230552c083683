#pragma once

#include <string>

namespace proxel::tool {

/// Keeps a second run off an output: a file beside it, which the system unlocks when the process ends in whatever way.
class RunLock {
 public:
  /// Throws Error(invalid_argument) where another process has it, CannotWrite where the file cannot be made.
  explicit RunLock(const std::string& path);
  /// Removes the file.
  ~RunLock();
  RunLock(const RunLock&) = delete;
  RunLock& operator=(const RunLock&) = delete;

 private:
  std::string path_;
  int descriptor_ = -1;
};

}  // namespace proxel::tool
