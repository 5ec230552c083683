#include "data/text_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace proxel::data {
namespace {

class PlainText : public TextSource {
 public:
  explicit PlainText(const ByteSource& source) : source_(source) {}

  std::size_t read(std::span<char> into) override {
    const std::uint64_t count = std::min<std::uint64_t>(into.size(), source_.size() - offset_);
    source_.read(offset_, std::as_writable_bytes(into.first(static_cast<std::size_t>(count))));
    offset_ += count;
    return static_cast<std::size_t>(count);
  }

 private:
  const ByteSource& source_;
  std::uint64_t offset_ = 0;
};

}  // namespace

std::unique_ptr<TextSource> plain_text(const ByteSource& source) { return std::make_unique<PlainText>(source); }

bool LineReader::fill() {
  constexpr std::size_t block = std::size_t{1} << 16;
  buffer_.erase(0, begin_);
  begin_ = 0;
  const std::size_t kept = buffer_.size();
  if (kept > longest_line) source_.fail(fmt::format("line {}: longer than {} bytes", line_number_ + 1, longest_line));
  buffer_.resize(kept + block);
  const std::size_t read = text_->read(std::span(buffer_).subspan(kept));
  buffer_.resize(kept + read);
  return read != 0;
}

std::optional<std::string_view> LineReader::next() {
  std::size_t searched = 0;  // bytes of the line known to hold no line end
  for (;;) {
    const std::size_t end = buffer_.find('\n', begin_ + searched);
    const bool ended = end != std::string::npos;
    if (!ended) {
      searched = buffer_.size() - begin_;
      if (fill()) continue;
      if (buffer_.empty()) return std::nullopt;
    }
    std::string_view line(buffer_);
    line = line.substr(begin_, ended ? end - begin_ : std::string_view::npos);
    begin_ = ended ? end + 1 : buffer_.size();
    if (line.ends_with('\r')) line.remove_suffix(1);
    ++line_number_;
    return line;
  }
}

}  // namespace proxel::data
