#include "evaluation/classes.hpp"

#include <algorithm>
#include <filesystem>
#include <unordered_map>

#include <fmt/format.h>

#include "evaluation/precision.hpp"
#include "input_lines.hpp"
#include "proxel/error.hpp"

namespace proxel::tool {
namespace {

Classes numbered(const std::vector<std::string>& class_of_image) {
  Classes classes;
  classes.names = class_of_image;
  std::ranges::sort(classes.names);
  classes.names.erase(std::unique(classes.names.begin(), classes.names.end()), classes.names.end());
  classes.sizes.resize(classes.names.size());
  for (const std::string& name : class_of_image) {
    const auto at = std::ranges::lower_bound(classes.names, name) - classes.names.begin();
    classes.of.push_back(static_cast<std::uint32_t>(at));
    ++classes.sizes[static_cast<std::size_t>(at)];
  }
  return classes;
}

}  // namespace

Classes classes_by_folder(const std::vector<std::string>& images) {
  std::vector<std::string> class_of_image;
  for (const std::string& image : images) {
    const std::string folder = std::filesystem::path(image).parent_path().filename().string();
    if (folder.empty())
      throw Error(ErrorCode::invalid_argument, image,
                  "lies in no folder whose name could be its class; --labels FILE says the classes");
    class_of_image.push_back(folder);
  }
  return numbered(class_of_image);
}

Classes classes_by_file(const std::string& path, const std::vector<std::string>& images) {
  std::unordered_map<std::string, std::string> class_of_name;
  std::uint64_t count = 0;
  for (const std::string& line : read_lines(path)) {
    ++count;
    const std::size_t comma = line.find_last_of(",\t");
    if (comma == std::string::npos || comma == 0 || comma + 1 == line.size())
      throw Error(ErrorCode::malformed_file, path,
                  fmt::format("line {} that is not empty: a name, a comma or tab and a class are expected", count));
    const std::string name = line.substr(0, comma), named_class = line.substr(comma + 1);
    const auto [known, added] = class_of_name.emplace(name, named_class);
    if (!added && known->second != named_class)
      throw Error(ErrorCode::malformed_file, path,
                  fmt::format("'{}' is of the class {} and of {}", name, known->second, named_class));
  }
  std::vector<std::string> class_of_image;
  for (const std::string& image : images) {
    const auto known = class_of_name.find(image);
    if (known == class_of_name.end())
      throw Error(ErrorCode::invalid_argument, path, fmt::format("does not say the class of '{}'", image));
    class_of_image.push_back(known->second);
  }
  return numbered(class_of_image);
}

void check_can_be_evaluated(const Classes& classes, const std::string& given) {
  constexpr std::uint64_t least = precision_ranks.back() + 1;
  if (classes.of.size() < least)
    throw Error(ErrorCode::invalid_argument, given,
                fmt::format("{} images; at least {} are needed: one that is looked for, and {} others",
                            classes.of.size(), least, least - 1));
  if (classes.names.size() < 2)
    throw Error(ErrorCode::invalid_argument, given,
                fmt::format("every image is of the class {}; at least two classes are needed, a folder each or by "
                            "--labels FILE",
                            classes.names.front()));
}

}  // namespace proxel::tool
