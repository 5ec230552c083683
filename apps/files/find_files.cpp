#include "files/find_files.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace proxel::files {
namespace {

namespace fs = std::filesystem;

char small_letter(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

void look_into(const fs::path& folder, std::span<const std::string_view> endings, const std::function<void()>& pause,
               FoundFiles& found) {
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    pause();
    std::error_code ignored;  // what cannot be asked is told when it is read
    const bool is_link = at->is_symlink(ignored);
    if (at->is_directory(ignored)) {
      if (!is_link) look_into(at->path(), endings, pause, found);
    } else if (std::ranges::any_of(
                   endings, [&](std::string_view ending) { return ends_in(at->path().filename().string(), ending); })) {
      found.paths.push_back(at->path().string());
    }
  }
  if (error) found.failures.push_back({folder.string(), error.message()});
}

}  // namespace

bool ends_in(const std::string& path, std::string_view ending) {
  // A name that is nothing but an ending has none.
  return path.size() > ending.size() &&
         std::ranges::equal(std::string_view(path).substr(path.size() - ending.size()), ending, {}, small_letter);
}

FoundFiles find_files(const std::vector<std::string>& files_and_folders, std::span<const std::string_view> endings,
                      const std::function<void()>& pause) {
  FoundFiles found;
  for (const std::string& name : files_and_folders) {
    std::error_code ignored;
    if (fs::is_directory(name, ignored))
      look_into(name, endings, pause, found);
    else
      found.paths.push_back(name);
  }
  // The order is that of their bytes, whatever that of the file system is.
  std::ranges::sort(found.paths);
  found.paths.erase(std::unique(found.paths.begin(), found.paths.end()), found.paths.end());
  std::ranges::sort(found.failures, {}, &FileFailure::path);
  return found;
}

}  // namespace proxel::files
