#pragma once

#include <mutex>
#include <string>

namespace proxel::data {

/// The next content of a file, which is written beside the file and then takes its place.
/// A symbolic link stays one: its target is replaced. The replaced file's mode is kept.
/// What was not placed is removed. All functions throw Error(input_output) where the
/// system refuses.
class StagedFile {
 public:
  /// Throws where `path` exists and is not a regular file.
  explicit StagedFile(std::string path);
  ~StagedFile();
  StagedFile(const StagedFile&) = delete;
  StagedFile& operator=(const StagedFile&) = delete;

  const std::string& path() const { return path_; }
  /// Where the content is written: in the folder of what is replaced, with the same ending.
  const std::string& beside() const { return beside_; }

  /// Puts what was written, and closed, in its place, to last.
  void appear();

  // The steps of it, for files that appear together:
  /// Puts what was written on the disk, and gives it the replaced file's mode.
  void sync();
  /// Gives the replaced file a second name, for undo(). Where the file system has no
  /// second names, undo() can do nothing.
  void keep_old();
  /// Puts the content in its place. The caller holds appearing().
  void place();
  /// Takes place() back, as far as keep_old() allows. The caller holds appearing().
  void undo() noexcept;
  /// Makes the new name last through a power failure, and forgets what was kept.
  void finish();

  [[noreturn]] void fail(const char* action) const;

 private:
  std::string path_, target_, stem_, beside_, old_;
  bool placed_ = false, replaces_ = false;
};

/// Held while files get their names: remove_unfinished_files() waits for it.
std::unique_lock<std::timed_mutex> appearing();

}  // namespace proxel::data
