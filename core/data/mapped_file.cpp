#include "data/mapped_file.hpp"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "proxel/error.hpp"

namespace proxel::data {

std::span<const std::byte> map_file(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);  // a pipe would wait for its writer
  if (file < 0)
    throw Error(errno == ENOENT ? ErrorCode::not_found : ErrorCode::input_output, path,
                errno == ENOENT ? "no such file" : std::strerror(errno));
  struct stat status{};
  const char* refusal = nullptr;
  void* memory = nullptr;
  if (fstat(file, &status) != 0)
    refusal = std::strerror(errno);
  else if (!S_ISREG(status.st_mode))
    refusal = S_ISDIR(status.st_mode) ? "is a directory, not a file" : "is not a regular file";
  else if (status.st_size != 0)
    memory = mmap(nullptr, static_cast<std::size_t>(status.st_size), PROT_READ, MAP_PRIVATE, file, 0);
  if (memory == MAP_FAILED) refusal = std::strerror(errno);
  close(file);
  if (refusal) throw Error(ErrorCode::input_output, path, refusal);
  return {static_cast<const std::byte*>(memory), static_cast<std::size_t>(status.st_size)};
}

void unmap_file(std::span<const std::byte> mapped) noexcept {
  if (!mapped.empty()) munmap(const_cast<std::byte*>(mapped.data()), mapped.size());
}

}  // namespace proxel::data
