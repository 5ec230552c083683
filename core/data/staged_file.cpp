#include "data/staged_file.hpp"

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#if __has_include(<unistd.h>)
#include <fcntl.h>
#include <unistd.h>
#endif

#include "data/unfinished_files.hpp"
#include "proxel/error.hpp"

namespace proxel::data {
namespace {

namespace fs = std::filesystem;

// What a path leads to through symbolic links, whether it exists or not.
fs::path target_of(const std::string& path) {
  constexpr int most_links = 40;  // as Linux follows
  fs::path target = path;
  std::error_code ignored;
  for (int links = 0; fs::is_symlink(fs::symlink_status(target, ignored)); ++links) {
    if (links == most_links) throw Error(ErrorCode::input_output, path, "is a symbolic link that leads nowhere");
    const fs::path next = fs::read_symlink(target, ignored);
    target = next.is_absolute() ? next : target.parent_path() / next;
  }
  return target;
}

// Writers go by the ending, ".csv.gz" for example. A long one is no ending.
std::string ending_of(const fs::path& target) {
  fs::path name = target.filename();
  std::string ending = name.extension().string();
  if (ending == ".gz") ending = name.stem().extension().string() + ending;
  return ending.size() <= 16 ? ending : std::string();
}

// What no other file of this process begins with.
std::string next_stem(const fs::path& folder) {
  static std::atomic<unsigned> counter = 0;
  long process = 0;
#if __has_include(<unistd.h>)
  process = static_cast<long>(getpid());
#endif
  return (folder / fmt::format(".proxel-{}-{}.", process, counter++)).string();
}

void sync_path(const fs::path& path, int flags) {
#if __has_include(<unistd.h>)
  const int descriptor = open(path.c_str(), flags | O_CLOEXEC);
  const bool synced = descriptor >= 0 && fsync(descriptor) == 0;
  const int reason = errno;
  if (descriptor >= 0) close(descriptor);
  errno = synced ? 0 : reason;
#endif
}

}  // namespace

StagedFile::StagedFile(std::string path) : path_(std::move(path)) {
  const fs::path target = target_of(path_);
  target_ = target.string();
  // Renaming over a device or a directory would replace it or fail late.
  std::error_code ignored;
  const auto status = fs::status(target, ignored);
  replaces_ = fs::exists(status);
  if (replaces_ && !fs::is_regular_file(status))
    throw Error(ErrorCode::input_output, path_, "exists and is not a regular file");
  // A process of the same number may have been killed here.
  do {
    stem_ = next_stem(target.parent_path());
    beside_ = stem_ + "part" + ending_of(target);
  } while (fs::exists(beside_, ignored));
  add_unfinished(stem_);
}

// Here and in undo() nothing is allocated: a fs::path would be, and there may be no memory.
StagedFile::~StagedFile() {
  std::remove(beside_.c_str());
  if (!old_.empty()) std::remove(old_.c_str());
  end_unfinished(stem_);
}

void StagedFile::fail(const char* action) const {
  const int reason = errno;
  throw Error(ErrorCode::input_output, path_, fmt::format("{}: {}", action, std::strerror(reason)));
}

void StagedFile::appear() {
  sync();
  {
    const auto lock = appearing();
    place();
  }
  finish();
}

void StagedFile::sync() {
  std::error_code error;
  if (const auto status = fs::status(target_, error); replaces_ && fs::exists(status)) {
    fs::permissions(beside_, status.permissions(), error);
    if (error) {
      errno = error.value();
      fail("cannot be given its mode");
    }
  }
  // Otherwise a power failure could leave the name with nothing behind it.
  errno = 0;
#if __has_include(<unistd.h>)
  // Reading is not always allowed by the mode that the old file has.
  sync_path(beside_, O_RDONLY);
  if (errno == EACCES) sync_path(beside_, O_WRONLY);
  if (errno != 0 && errno != EACCES) fail("cannot be written");
#endif
}

void StagedFile::keep_old() {
  std::error_code ignored;
  if (!fs::exists(fs::status(target_, ignored))) return;
  old_ = stem_ + "old";
  fs::create_hard_link(target_, old_, ignored);
}

void StagedFile::place() {
  std::error_code error;
  fs::rename(beside_, target_, error);
  if (error) {
    errno = error.value();
    fail("cannot be put in place");
  }
  placed_ = true;
}

void StagedFile::undo() noexcept {
  if (!std::exchange(placed_, false)) return;
  if (old_.empty())
    std::remove(target_.c_str());
  else
    std::rename(old_.c_str(), target_.c_str());
}

void StagedFile::finish() {
  std::error_code ignored;
  if (!old_.empty()) fs::remove(std::exchange(old_, {}), ignored);
#if __has_include(<unistd.h>)
  // Many file systems have nothing to say about folders; a broken disk has.
  const fs::path folder = fs::path(target_).parent_path();
  sync_path(folder.empty() ? fs::path(".") : folder, O_RDONLY);
  if (errno == EIO) fail("cannot be written");
#endif
}

}  // namespace proxel::data
