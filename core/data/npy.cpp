#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cstring>
#include <optional>

#include "data/elements.hpp"
#include "data/parsers.hpp"

namespace proxel::data {
namespace {

constexpr std::string_view magic = "\x93NUMPY";
// NumPy pads its header to about a hundred bytes; structured types, which are
// refused anyway, are what makes it longer.
constexpr std::uint64_t largest_header = 1u << 16;

// Reads the header, which is the text of a Python dictionary:
// {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }
class HeaderText {
 public:
  HeaderText(const ByteSource& source, std::uint64_t offset, std::string text)
      : source_(source), offset_(offset), text_(std::move(text)) {}

  void skip_blanks() {
    while (position_ < text_.size() && std::strchr(" \t\r\n", text_[position_]) != nullptr && text_[position_] != '\0')
      ++position_;
  }
  bool accept(char wanted) {
    skip_blanks();
    if (position_ >= text_.size() || text_[position_] != wanted) return false;
    ++position_;
    return true;
  }
  void expect(char wanted) {
    if (!accept(wanted)) fail(fmt::format("'{}' is missing in the header", wanted));
  }
  bool at_end() {
    skip_blanks();
    return position_ == text_.size();
  }

  std::string quoted() {
    const char quote = accept('"') ? '"' : '\'';
    if (quote == '\'' && !accept('\'')) {
      if (accept('[')) fail_unsupported("structured element types cannot be read");
      fail("a quoted word is missing in the header");
    }
    const std::size_t end = text_.find(quote, position_);
    if (end == std::string::npos) fail("a quotation mark is missing in the header");
    std::string word = text_.substr(position_, end - position_);
    position_ = end + 1;
    return word;
  }

  bool boolean() {
    skip_blanks();
    for (const auto& [word, value] : {std::pair{"True", true}, std::pair{"False", false}})
      if (text_.compare(position_, std::strlen(word), word) == 0) {
        position_ += std::strlen(word);
        return value;
      }
    fail("fortran_order is neither True nor False");
  }

  std::uint64_t integer() {
    skip_blanks();
    std::uint64_t value = 0;
    const char* const first = text_.data() + position_;
    const auto [end, error] = std::from_chars(first, text_.data() + text_.size(), value);
    if (error == std::errc::result_out_of_range) fail("a size of the shape is beyond 2^64");
    if (error != std::errc()) fail("a size of the shape is not a number");
    position_ += end - first;
    accept('L');  // long integers as Python 2 wrote them
    return value;
  }

  [[noreturn]] void fail(const std::string& reason) const { source_.fail_at(offset_ + position_, reason); }
  [[noreturn]] void fail_unsupported(const std::string& reason) const {
    throw Error(ErrorCode::unsupported, source_.name(), fmt::format("at byte {}: {}", offset_ + position_, reason));
  }

 private:
  const ByteSource& source_;
  std::uint64_t offset_;
  std::string text_;
  std::size_t position_ = 0;
};

void parse_element_type(HeaderText& header, StoredMatrix& stored) {
  const std::string word = header.quoted();
  static constexpr std::array types = {std::pair{"f2", ElementType::float16}, std::pair{"f4", ElementType::float32},
                                       std::pair{"f8", ElementType::float64}, std::pair{"i1", ElementType::int8},
                                       std::pair{"u1", ElementType::uint8},   std::pair{"i2", ElementType::int16},
                                       std::pair{"u2", ElementType::uint16},  std::pair{"i4", ElementType::int32},
                                       std::pair{"u4", ElementType::uint32},  std::pair{"i8", ElementType::int64},
                                       std::pair{"u8", ElementType::uint64},  std::pair{"b1", ElementType::uint8}};
  if (word.size() == 3 && std::strchr("<>|", word[0]) != nullptr)
    for (const auto& [name, type] : types)
      if (word.compare(1, 2, name) == 0) {
        stored.type = type;
        stored.big_endian = word[0] == '>';
        return;
      }
  header.fail_unsupported(
      fmt::format("element type \"{}\"; f2 f4 f8 i1 u1 i2 u2 i4 u4 i8 u8 b1 can be read", word.substr(0, 40)));
}

void parse_shape(HeaderText& header, StoredMatrix& stored) {
  header.expect('(');
  std::array<std::uint64_t, 2> sizes = {0, 1};
  std::size_t count = 0;
  while (!header.accept(')')) {
    if (count == sizes.size()) header.fail_unsupported("the array has more than two dimensions; a matrix has two");
    sizes[count++] = header.integer();
    if (!header.accept(',')) {
      header.expect(')');
      break;
    }
  }
  if (count == 0) header.fail_unsupported("the array is a single number; a matrix has two dimensions");
  stored.rows = sizes[0];
  stored.columns = sizes[1];
  stored.one_dimensional = count == 1;
}

void parse_dictionary(HeaderText& header, StoredMatrix& stored) {
  bool has_type = false;
  bool has_order = false;
  bool has_shape = false;
  const auto once = [&](bool& seen, const std::string& key) {
    if (seen) header.fail(fmt::format("{} is given twice", key));
    seen = true;
  };
  header.expect('{');
  while (!header.accept('}')) {
    const std::string key = header.quoted();
    header.expect(':');
    if (key == "descr") {
      once(has_type, key);
      parse_element_type(header, stored);
    } else if (key == "fortran_order") {
      once(has_order, key);
      stored.column_major = header.boolean();
    } else if (key == "shape") {
      once(has_shape, key);
      parse_shape(header, stored);
    } else {
      header.fail("the header has a key other than descr, fortran_order and shape");
    }
    if (!header.accept(',')) {
      header.expect('}');
      break;
    }
  }
  if (!has_type || !has_order || !has_shape) header.fail("the header must give descr, fortran_order and shape");
  if (!header.at_end()) header.fail("text follows the header's dictionary");
}

}  // namespace

StoredMatrix parse_npy(const ByteSource& source) {
  ByteCursor cursor(source);
  const auto beginning = cursor.take(8);
  if (std::memcmp(beginning.data(), magic.data(), magic.size()) != 0)
    source.fail_at(0, "this is not a .npy file, which begins with \\x93NUMPY");
  const unsigned version = std::to_integer<unsigned>(beginning[6]);
  if (version < 1 || version > 3)
    throw Error(ErrorCode::unsupported, source.name(),
                fmt::format("at byte 6: version {} of .npy; 1 to 3 can be read", version));

  std::int32_t length = 0;
  if (version == 1)
    convert(ElementType::uint16, false, cursor.take(2).data(), 1, &length);
  else
    convert(ElementType::uint32, false, cursor.take(4).data(), 1, &length);
  const std::uint64_t header_bytes = static_cast<std::uint32_t>(length);
  if (header_bytes > largest_header)
    source.fail_at(8, fmt::format("a header of {} bytes; at most {} are allowed", header_bytes, largest_header));
  const std::uint64_t header_offset = cursor.offset();
  const auto text = cursor.take(static_cast<std::size_t>(header_bytes));

  StoredMatrix stored;
  stored.format = "npy";
  HeaderText header(source, header_offset, std::string(reinterpret_cast<const char*>(text.data()), text.size()));
  parse_dictionary(header, stored);
  stored.first_byte = cursor.offset();
  require_size(source, stored);
  return stored;
}

}  // namespace proxel::data
