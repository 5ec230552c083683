#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "images/image_files.hpp"

namespace proxel::images {
namespace {

namespace fs = std::filesystem;

bool ends_as_image(const fs::path& path) {
  std::string ending = path.extension().string();
  std::ranges::transform(ending, ending.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  constexpr std::string_view endings[] = {".jpg", ".jpeg", ".jpe", ".jfif", ".png"};
  return std::ranges::find(endings, ending) != std::end(endings);
}

void look_into(const fs::path& folder, const std::function<void()>& pause, ImageFiles& found) {
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    pause();
    std::error_code ignored;  // what cannot be asked is told when it is read
    const bool is_link = at->is_symlink(ignored);
    if (at->is_directory(ignored)) {
      if (!is_link) look_into(at->path(), pause, found);
    } else if (ends_as_image(at->path())) {
      found.paths.push_back(at->path().string());
    }
  }
  if (error) found.failures.push_back({folder.string(), error.message()});
}

}  // namespace

ImageFiles find_images(const std::vector<std::string>& files_and_folders, const std::function<void()>& pause) {
  ImageFiles found;
  for (const std::string& name : files_and_folders) {
    std::error_code ignored;
    if (fs::is_directory(name, ignored))
      look_into(name, pause, found);
    else
      found.paths.push_back(name);
  }
  // The order is that of their bytes, whatever that of the file system is.
  std::ranges::sort(found.paths);
  found.paths.erase(std::unique(found.paths.begin(), found.paths.end()), found.paths.end());
  std::ranges::sort(found.failures, {}, &ImageFailure::path);
  return found;
}

}  // namespace proxel::images
