#include <string_view>

#include "images/image_files.hpp"

namespace proxel::images {

ImageFiles find_images(const std::vector<std::string>& files_and_folders, const std::function<void()>& pause) {
  constexpr std::string_view endings[] = {".jpg", ".jpeg", ".jpe", ".jfif", ".png"};
  return files::find_files(files_and_folders, endings, pause);
}

}  // namespace proxel::images
