#include "data/output_file.hpp"

#include <fmt/format.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#if __has_include(<unistd.h>)
#include <unistd.h>
#endif

#include "proxel/error.hpp"

namespace proxel::data {
namespace {

// Distinct within the process; the exclusive mode of fopen settles the rest.
std::string temporary_name(const std::string& path) {
  static std::atomic<unsigned> counter = 0;
  long process = 0;
#if __has_include(<unistd.h>)
  process = static_cast<long>(getpid());
#endif
  return fmt::format("{}.{}-{}.part", path, process, counter++);
}

}  // namespace

OutputFile::OutputFile(std::string path) : path_(std::move(path)), temporary_(temporary_name(path_)) {
  // Renaming over a device or a directory would replace it or fail late.
  std::error_code error;
  const auto status = std::filesystem::status(path_, error);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
    throw Error(ErrorCode::input_output, path_, "exists and is not a regular file");
  file_ = std::fopen(temporary_.c_str(), "wbx");
  if (file_ == nullptr) fail("cannot be created");
}

OutputFile::~OutputFile() {
  if (file_ != nullptr) std::fclose(file_);
  if (!temporary_.empty()) std::remove(temporary_.c_str());
}

void OutputFile::fail(const char* action) {
  const int reason = errno;
  throw Error(ErrorCode::input_output, path_, fmt::format("{}: {}", action, std::strerror(reason)));
}

void OutputFile::write(std::span<const std::byte> bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_) != bytes.size()) fail("cannot be written");
}

void OutputFile::finish() {
  if (std::fflush(file_) != 0) fail("cannot be written");
#if __has_include(<unistd.h>)
  // Otherwise a power failure could leave the name with nothing behind it.
  if (fsync(fileno(file_)) != 0) fail("cannot be written");
#endif
  if (std::fclose(std::exchange(file_, nullptr)) != 0) fail("cannot be written");
  std::error_code error;
  std::filesystem::rename(temporary_, path_, error);
  if (error) {
    errno = error.value();
    fail("cannot be put in place");
  }
  temporary_.clear();
}

}  // namespace proxel::data
