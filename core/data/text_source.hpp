#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "data/byte_source.hpp"

namespace proxel::data {

/// Text that is read once, forwards: a file as it is, or decompressed.
class TextSource {
 public:
  virtual ~TextSource() = default;
  /// Fills as much of `into` as there is; 0 at the end only.
  virtual std::size_t read(std::span<char> into) = 0;
};

/// The source's own bytes.
std::unique_ptr<TextSource> plain_text(const ByteSource& source);

/// What a gzip file (of one or more members) decompresses to. Its checksums
/// are verified; a damaged or cut stream is an Error(malformed_file) with the
/// byte of the compressed file.
std::unique_ptr<TextSource> gzip_text(const ByteSource& source);

/// Whether the first bytes are those of a gzip file.
bool is_gzip(const ByteSource& source);

/// Splits text into lines, which end in LF or CRLF; the last may lack either.
class LineReader {
 public:
  /// Longer lines are refused, so that a file without line ends cannot exhaust memory.
  static constexpr std::size_t longest_line = std::size_t{1} << 28;

  LineReader(const ByteSource& source, bool gzip)
      : source_(source), text_(gzip ? gzip_text(source) : plain_text(source)) {}

  /// The next line without its end, valid until the next call; nothing at the end.
  std::optional<std::string_view> next();
  /// Number of the line that next() gave, from 1.
  std::uint64_t line_number() const { return line_number_; }

 private:
  bool fill();

  const ByteSource& source_;
  std::unique_ptr<TextSource> text_;
  std::string buffer_;
  std::size_t begin_ = 0;  // where the text that was not handed out begins
  std::uint64_t line_number_ = 0;
};

}  // namespace proxel::data
