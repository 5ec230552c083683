#pragma once

#include <string>

namespace proxel::conformance {

/// Takes what is written to stderr while it lives: a compiler that cannot translate a shader may say
/// so there and report success. For one thread of a program of one's own.
class DriverText {
 public:
  DriverText();
  ~DriverText();
  DriverText(const DriverText&) = delete;
  DriverText& operator=(const DriverText&) = delete;

  /// What was written so far; stderr is again what it was.
  std::string take();

 private:
  int stderr_ = -1;  // a duplicate of what it was
  int file_ = -1;
};

}  // namespace proxel::conformance
