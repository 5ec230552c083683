#include "words/word_list.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>

#include <fmt/format.h>
#include <zlib.h>

namespace demo {
namespace {

using proxel::Error;
using proxel::ErrorCode;

// A small file may unpack to anything.
constexpr std::uint64_t most_bytes = std::uint64_t{1} << 30;

// zlib reads what is not compressed as it is.
std::string unpacked(const std::string& path) {
  if (!std::filesystem::exists(path)) throw Error(ErrorCode::not_found, path, "there is no such file");
  if (std::filesystem::is_directory(path))
    throw Error(ErrorCode::invalid_argument, path, "is a folder; a file of words, a line each, is wanted");
  const std::unique_ptr<gzFile_s, int (*)(gzFile)> file(gzopen(path.c_str(), "rb"), gzclose_r);
  if (!file) throw Error(ErrorCode::input_output, path, fmt::format("cannot be opened: {}", std::strerror(errno)));
  std::string text;
  std::vector<char> block(1 << 16);
  for (int read = 0; (read = gzread(file.get(), block.data(), static_cast<unsigned>(block.size()))) > 0;) {
    text.append(block.data(), static_cast<std::size_t>(read));
    if (text.size() > most_bytes)
      throw Error(ErrorCode::unsupported, path, fmt::format("holds more than {} bytes of text", most_bytes));
  }
  int status = Z_OK;
  const std::string reason = gzerror(file.get(), &status);
  // A file that ends early says so only here.
  if (status != Z_OK && status != Z_STREAM_END)
    throw Error(status == Z_ERRNO ? ErrorCode::input_output : ErrorCode::malformed_file, path,
                fmt::format("is damaged or ends early: {}", reason));
  return text;
}

}  // namespace

WordList read_words(const std::string& path) {
  const std::string text = unpacked(path);
  WordList list;
  list.name = std::filesystem::path(path).filename().string();
  std::uint64_t line = 1;
  for (std::size_t first = 0; first < text.size(); ++line) {
    const std::size_t end = std::min(text.find('\n', first), text.size());
    std::string_view word(text.data() + first, end - first);
    first = end + 1;
    if (word.ends_with('\r')) word.remove_suffix(1);
    if (word.empty()) continue;
    try {
      list.words.add(word);
    } catch (const Error&) {
      throw Error(ErrorCode::malformed_file, path,
                  fmt::format("line {} is not UTF-8 text; words are wanted, a line each", line));
    }
    list.longest_bytes = std::max<std::uint64_t>(list.longest_bytes, word.size());
  }
  if (list.words.size() == 0) throw Error(ErrorCode::invalid_argument, path, "has no words");
  return list;
}

}  // namespace demo
