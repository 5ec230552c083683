#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace proxel::tool {

/// Lines from a file descriptor that may be a file, a pipe or a terminal, as they come.
class LineStream {
 public:
  /// @param descriptor  not closed
  explicit LineStream(int descriptor) : descriptor_(descriptor) {}

  /// Lines without their ends and without a byte order mark, at most `most`: waits for the first as long as it
  /// takes, and for each further one until `delay_milliseconds` after it. Empty at
  /// the end. Throws Error(input_output), or Interrupted after Ctrl-C.
  std::vector<std::string> next(std::size_t most, int delay_milliseconds);

 private:
  bool read_more();  // false at the end
  bool take(std::string& line);

  int descriptor_;
  std::string pending_;   // read, and not yet given
  std::size_t used_ = 0;  // of it
  bool ended_ = false;
  bool first_ = true;  // the next line is the first, which a byte order mark may begin
};

}  // namespace proxel::tool
