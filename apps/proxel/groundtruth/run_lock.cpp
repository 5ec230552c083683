#include "groundtruth/run_lock.hpp"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "console.hpp"

namespace proxel::tool {
namespace {

// Whether the name still leads to the file that was opened: who had the lock before may have removed it.
bool is_named(int descriptor, const std::string& path) {
  struct stat opened = {}, named = {};
  return fstat(descriptor, &opened) == 0 && stat(path.c_str(), &named) == 0 && opened.st_ino == named.st_ino &&
         opened.st_dev == named.st_dev;
}

}  // namespace

RunLock::RunLock(const std::string& path) : path_(path) {
  while (true) {
    descriptor_ = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (descriptor_ < 0) throw CannotWrite(path, fmt::format("cannot be created: {}", std::strerror(errno)));
    if (flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
      const int why = errno;
      close(descriptor_);
      if (why == EWOULDBLOCK)
        throw Error(ErrorCode::invalid_argument, "--output", fmt::format("another run writes it: {} is locked", path));
      throw CannotWrite(path, fmt::format("cannot be locked: {}", std::strerror(why)));
    }
    if (struct stat status = {};
        fstat(descriptor_, &status) == 0 && (status.st_size != 0 || !S_ISREG(status.st_mode))) {
      close(descriptor_);
      throw Error(
          ErrorCode::invalid_argument, "--output",
          fmt::format("{} is kept beside it while it is made, and there is such a file of something else", path));
    }
    if (is_named(descriptor_, path)) return;
    close(descriptor_);
  }
}

RunLock::~RunLock() {
  unlink(path_.c_str());
  close(descriptor_);
}

}  // namespace proxel::tool
