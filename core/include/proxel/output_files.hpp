#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "proxel/export.h"

PROXEL_PUBLIC_BEGIN
namespace proxel {

namespace data {
class StagedFile;
}

/// Files that get their names together: all of them new and whole, or all as they were
/// before. Each is written beside its place first. A symbolic link stays one and its
/// target is replaced; a replaced file's mode is kept.
///
///   OutputFiles files;
///   files.add("found.indices.npy", [&](const std::string& place) { write_matrix(place, indices); });
///   files.add("found.distances.npy", [&](const std::string& place) { write_matrix(place, distances); });
///   files.commit();
class OutputFiles {
 public:
  /// Writes a file's content to `place`.
  using Write = std::function<void(const std::string& place)>;

  OutputFiles();
  /// Removes what was not committed.
  ~OutputFiles();
  OutputFiles(OutputFiles&&) noexcept;
  OutputFiles& operator=(OutputFiles&&) noexcept;

  /// Calls `write`, whose errors name the file by `path`. Throws Error(input_output) where
  /// `path` exists and is not a regular file, and what `write` throws.
  void add(const std::string& path, const Write& write);
  /// The place that add() would hand on, for a caller that writes bit by bit. It is in the
  /// folder of `path` and has the same ending; nothing exists there yet. The content has to
  /// be there, and the file closed, before commit().
  const std::string& stage(const std::string& path);

  /// All contents are put on the disk first; then they take their places. When that fails
  /// those that had taken theirs give them back to the old files, as far as the file system
  /// has hard links. Throws Error(input_output).
  void commit();

 private:
  std::vector<std::unique_ptr<data::StagedFile>> files_;
};

/// Removes the unfinished files of this process, those of every OutputFiles and of every
/// function that writes a file; from then on no file appears. For a process that is about
/// to end by force, from any thread, not from a signal's handler: what writes in another
/// thread fails afterwards, or waits for ever. Takes a fifth of a second at most.
void remove_unfinished_files() noexcept;

}  // namespace proxel
PROXEL_PUBLIC_END
