#include "strings/code_points.hpp"

#include <bit>
#include <cerrno>
#include <memory>
#include <system_error>

#include <iconv.h>

namespace proxel::strings {
namespace {

// One of the C library's converters. Not shared between threads.
class Converter {
 public:
  Converter(const char* to, const char* from) : handle_(iconv_open(to, from)) {
    if (handle_ == reinterpret_cast<iconv_t>(-1))
      throw std::system_error(errno, std::generic_category(), "cannot convert between encodings");
  }
  ~Converter() { iconv_close(handle_); }
  Converter(const Converter&) = delete;
  Converter& operator=(const Converter&) = delete;

  /// Returns the input bytes that could be converted, and how much they became.
  std::pair<std::size_t, std::size_t> convert(std::string_view from, char* to, std::size_t room) const {
    if (from.empty()) return {0, 0};
    iconv(handle_, nullptr, nullptr, nullptr, nullptr);
    char* input = const_cast<char*>(from.data());  // read only, whatever POSIX declares
    std::size_t left = from.size();
    const std::size_t whole = room;
    iconv(handle_, &input, &left, &to, &room);
    return {from.size() - left, whole - room};
  }

 private:
  iconv_t handle_;
};

const char* const native_utf32 = std::endian::native == std::endian::little ? "UTF-32LE" : "UTF-32BE";

}  // namespace

std::size_t append_code_points(std::string_view text, std::vector<std::uint32_t>& to) {
  thread_local const Converter converter(native_utf32, "UTF-8");
  const std::size_t before = to.size();
  to.resize(before + text.size());  // no byte becomes more than a code point
  const auto [used, written] =
      converter.convert(text, reinterpret_cast<char*>(to.data() + before), text.size() * sizeof(std::uint32_t));
  to.resize(before + written / sizeof(std::uint32_t));
  return used;
}

std::string utf8(std::span<const std::uint32_t> code_points) {
  thread_local const Converter converter("UTF-8", native_utf32);
  std::string text(code_points.size() * 4, '\0');
  const std::string_view bytes(reinterpret_cast<const char*>(code_points.data()), code_points.size_bytes());
  text.resize(converter.convert(bytes, text.data(), text.size()).second);
  return text;
}

}  // namespace proxel::strings
