#pragma once

#include <string>

#include "proxel/strings.hpp"

namespace demo {

/// Words to be searched.
struct WordList {
  std::string name;  ///< what people are shown
  proxel::Strings words;
  std::uint64_t longest_bytes = 0;  ///< of the longest word, as UTF-8
};

/// The words of a text file, a line each, empty lines left out; compressed by gzip or not.
/// Throws proxel::Error: not_found; input_output; malformed_file for what is damaged or not
/// UTF-8, with the line; unsupported for more than 1 GiB of text; invalid_argument without any word.
WordList read_words(const std::string& path);

}  // namespace demo
