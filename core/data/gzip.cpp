#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <new>

#include "data/text_source.hpp"

namespace proxel::data {
namespace {

class GzipText : public TextSource {
 public:
  explicit GzipText(const ByteSource& source) : source_(source), cursor_(source) {
    // 16 asks zlib for the gzip format and its checksum.
    if (inflateInit2(&stream_, 16 + MAX_WBITS) != Z_OK) throw std::bad_alloc();
  }
  ~GzipText() override { inflateEnd(&stream_); }

  std::size_t read(std::span<char> into) override {
    stream_.next_out = reinterpret_cast<Bytef*>(into.data());
    stream_.avail_out = static_cast<uInt>(std::min<std::size_t>(into.size(), 1u << 30));
    const uInt wanted = stream_.avail_out;
    while (stream_.avail_out != 0) {
      if (stream_.avail_in == 0 && !refill()) break;
      const int result = inflate(&stream_, Z_NO_FLUSH);
      if (result == Z_STREAM_END) {
        inside_member_ = false;
        inflateReset(&stream_);
      } else if (result == Z_MEM_ERROR) {
        throw std::bad_alloc();
      } else if (result != Z_OK) {
        source_.fail_at(cursor_.offset() - stream_.avail_in,
                        fmt::format("damaged gzip data ({})", stream_.msg != nullptr ? stream_.msg : "no progress"));
      }
      if (stream_.avail_in != 0) inside_member_ = true;
    }
    return wanted - stream_.avail_out;
  }

 private:
  // False at the end of the file, where a member must not be open.
  bool refill() {
    const std::uint64_t left = source_.size() - cursor_.offset();
    if (left == 0) {
      if (inside_member_) source_.fail_at(source_.size(), "the gzip data end early");
      return false;
    }
    const auto bytes = cursor_.take(static_cast<std::size_t>(std::min<std::uint64_t>(left, ByteCursor::largest_take)));
    // zlib does not write through next_in.
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(bytes.data()));
    stream_.avail_in = static_cast<uInt>(bytes.size());
    inside_member_ = true;
    return true;
  }

  const ByteSource& source_;
  ByteCursor cursor_;
  z_stream stream_{};
  bool inside_member_ = true;  // an empty file lacks its member
};

}  // namespace

bool is_gzip(const ByteSource& source) {
  std::array<std::byte, 2> magic{};
  if (source.size() < magic.size()) return false;
  source.read(0, magic);
  return magic == std::array{std::byte{0x1f}, std::byte{0x8b}};
}

std::unique_ptr<TextSource> gzip_text(const ByteSource& source) { return std::make_unique<GzipText>(source); }

}  // namespace proxel::data
