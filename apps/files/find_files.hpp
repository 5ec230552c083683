#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace proxel::files {

struct FileFailure {
  std::string path, reason;
};

struct FoundFiles {
  std::vector<std::string> paths;     ///< sorted by their bytes, each once
  std::vector<FileFailure> failures;  ///< folders that could not be looked into
};

/// The files that are named, and of folders all below them whose names end in one of the
/// endings. Links to folders are not followed.
/// @param endings  with their point and in small letters (".stl"); names may have capital ones
/// @param pause    called now and then; what it throws ends the search
FoundFiles find_files(const std::vector<std::string>& files_and_folders, std::span<const std::string_view> endings,
                      const std::function<void()>& pause);

/// Whether the name of a file ends so, in small or capital letters.
bool ends_in(const std::string& path, std::string_view ending);

}  // namespace proxel::files
