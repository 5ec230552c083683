#include "driver_text.hpp"

#include <array>
#include <cstdio>

#include <sys/mman.h>
#include <unistd.h>

namespace proxel::conformance {

DriverText::DriverText() : stderr_(::dup(STDERR_FILENO)), file_(::memfd_create("driver", MFD_CLOEXEC)) {
  std::fflush(stderr);
  // Without a file, what the driver writes goes to the terminal, as it does without this class.
  if (stderr_ >= 0 && file_ >= 0) ::dup2(file_, STDERR_FILENO);
}

DriverText::~DriverText() {
  take();
  if (file_ >= 0) ::close(file_);
}

std::string DriverText::take() {
  std::fflush(stderr);
  if (stderr_ < 0) return {};
  ::dup2(stderr_, STDERR_FILENO);
  ::close(stderr_);
  stderr_ = -1;
  std::string text;
  std::array<char, 4096> part;
  if (file_ >= 0) ::lseek(file_, 0, SEEK_SET);
  for (ssize_t bytes; file_ >= 0 && (bytes = ::read(file_, part.data(), part.size())) > 0;)
    text.append(part.data(), static_cast<std::size_t>(bytes));
  return text;
}

}  // namespace proxel::conformance
