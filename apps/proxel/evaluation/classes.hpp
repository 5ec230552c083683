#pragma once

// What images show: the truth by which a search for similar ones is judged.

#include <cstdint>
#include <string>
#include <vector>

namespace proxel::tool {

struct Classes {
  std::vector<std::string> names;    ///< in the order of their bytes, each once
  std::vector<std::uint64_t> sizes;  ///< images of each class
  std::vector<std::uint32_t> of;     ///< the class of each image, 0…names.size() - 1
};

/// The class of an image is the name of the folder that it lies in, whatever lies above:
/// "train/cat/1.jpg" and "test/cat/1.jpg" are of the class "cat".
/// Throws Error(invalid_argument) that names an image without a folder.
Classes classes_by_folder(const std::vector<std::string>& images);

/// Classes as a text file says them, a line for each image: its name, a comma or tab, its class. Lines
/// for other images are allowed. Throws Error: as read_input_lines(); malformed_file for a line that
/// is none, or an image that is named again as of another class; invalid_argument for an image without a line.
Classes classes_by_file(const std::string& path, const std::vector<std::string>& images);

/// Throws Error(invalid_argument) unless there are two classes or more, and as many images as the longest list of
/// neighbours and the query together.
/// @param given  where the images came from
void check_can_be_evaluated(const Classes& classes, const std::string& given);

}  // namespace proxel::tool
