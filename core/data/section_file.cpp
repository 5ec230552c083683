#include "data/section_file.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "data/checksum.hpp"
#include "data/elements.hpp"

namespace proxel::data {
namespace {

constexpr std::size_t start_bytes = 16;  // that say whether the rest can be read
constexpr std::size_t entry_bytes = 16;

constexpr std::size_t header_bytes(std::size_t sections) { return start_bytes + sections * entry_bytes + 4; }

using Bytes = std::span<const std::byte>;

std::uint32_t number_at(Bytes header, std::size_t offset) {
  std::int32_t bits = 0;
  convert(ElementType::int32, false, header.data() + offset, 1, &bits);
  return static_cast<std::uint32_t>(bits);
}

bool has_text_at(Bytes header, std::size_t offset, std::string_view text) {
  return std::ranges::equal(header.subspan(offset, text.size()), std::as_bytes(std::span(text)));
}

void convert_some(const std::byte* stored, std::uint64_t count, float* out) {
  convert(ElementType::float32, false, stored, count, out);
}
void convert_some(const std::byte* stored, std::uint64_t count, std::uint32_t* out) {
  convert(ElementType::int32, false, stored, count, reinterpret_cast<std::int32_t*>(out));
}

}  // namespace

void PackedTexts::add(std::string_view one) {
  lengths.push_back(static_cast<std::uint32_t>(one.size()));
  text += one;
}

void PackedTexts::write(BlockWriter& to) const {
  to.values(lengths);
  to.text(text);
}

void write_sections(const BlockWriter::Sink& sink, const SectionFormat& format, std::uint32_t kind,
                    const std::function<void(std::size_t section, BlockWriter& to)>& write_section) {
  Checksum header;
  BlockWriter to([&](Bytes bytes) {
    header.add(bytes);
    sink(bytes);
  });
  to.text(section_file_magic);
  to.value(format.version);
  to.value(kind);
  BlockSums blocks;
  const auto write = [&](std::size_t section, BlockWriter& place) {
    if (format.in_blocks < section && section == format.in_blocks + 1)
      place.values(blocks.values());
    else
      write_section(section, place);
  };
  for (std::size_t section = 0; section < format.sections.size(); ++section) {
    Checksum content;
    const bool in_blocks = section == format.in_blocks;
    BlockWriter measure([&](Bytes bytes) { in_blocks ? blocks.add(bytes) : content.add(bytes); });
    write(section, measure);
    measure.flush();
    to.text(format.sections[section].tag);
    to.value(content.value);
    to.value(in_blocks ? blocks.bytes() : content.bytes);
  }
  to.flush();
  to.value(header.value);
  for (std::size_t section = 0; section < format.sections.size(); ++section) write(section, to);
  to.flush();
}

bool begins_as_section_file(const ByteSource& source) {
  std::array<std::byte, section_file_magic.size()> start;
  if (source.size() < start.size()) return false;
  source.read(0, start);
  return has_text_at(start, 0, section_file_magic);
}

SectionReader::SectionReader(const ByteSource& source, const SectionFormat& format)
    : source_(source), names_(format.sections), in_blocks_(format.in_blocks) {
  std::vector<std::byte> header(header_bytes(names_.size()));
  read_header(format, header);
  std::uint64_t first = header.size();
  for (std::size_t section = 0; section < names_.size(); ++section) {
    const std::size_t entry = start_bytes + section * entry_bytes;
    if (!has_text_at(header, entry, names_[section].tag))
      source_.fail_at(entry, fmt::format("{} was expected", name(section)));
    const std::uint64_t bytes = std::uint64_t{number_at(header, entry + 12)} << 32 | number_at(header, entry + 8);
    if (bytes > source_.size() - first)
      source_.fail_at(source_.size(), fmt::format("the file ends within {}, which has {} bytes from byte {} on",
                                                  name(section), bytes, first));
    places_.push_back({first, bytes});
    first += bytes;
  }
  if (first != source_.size()) source_.fail_at(first, "the last section ends here, but the file does not");
  for (std::size_t section = 0; section < names_.size(); ++section) {
    const std::size_t entry = start_bytes + section * entry_bytes;
    if (section != in_blocks_)
      require_checksum(places_[section], number_at(header, entry + 4), name(section) + " is");
    else if (number_at(header, entry + 4) != 0)
      source_.fail_at(entry + 4,
                      fmt::format("{} has a checksum of its own, besides those of its blocks", name(section)));
  }
}

// Reads the header, and checks that it is undamaged and of a version and kind that this program reads.
void SectionReader::read_header(const SectionFormat& format, std::vector<std::byte>& header) {
  // Another version may have a shorter one.
  source_.read(0, std::span(header).first(start_bytes));
  if (!has_text_at(header, 0, section_file_magic))
    source_.fail_at(0, fmt::format("not {} that proxel has saved", format.what));
  const std::uint32_t version = number_at(header, 8);
  kind_ = number_at(header, 12);
  // The kind first: each counts its versions by itself.
  if (std::ranges::find(format.kinds, kind_) == format.kinds.end())
    throw Error(
        ErrorCode::unsupported, source_.name(),
        fmt::format("{} of objects of kind {}; this program reads {}", format.what, kind_, format.kinds_in_words));
  if (version != format.version)
    throw Error(ErrorCode::unsupported, source_.name(),
                fmt::format("{} in version {} of the format; this program reads version {}", format.what, version,
                            format.version));
  source_.read(0, header);
  const std::size_t checked = header.size() - 4;
  require_checksum({0, checked}, number_at(header, checked), "the header is");
}

void SectionReader::require_checksum(const Place& place, std::uint32_t expected, const std::string& what) const {
  Checksum found;
  ByteCursor cursor(source_, place.first);
  while (found.bytes < place.bytes)
    found.add(cursor.take(std::min<std::uint64_t>(place.bytes - found.bytes, ByteCursor::largest_take)));
  if (found.value != expected)
    source_.fail(fmt::format("{} damaged: checksum {:08x}, {:08x} was expected", what, found.value, expected));
}

std::string SectionReader::name(std::size_t section) const {
  return fmt::format("section {} ({})", names_[section].tag, names_[section].words);
}

BlockChecksums SectionReader::block_checksums() const {
  const Place& place = places_[in_blocks_];
  return {source_.name(), name(in_blocks_), place.first, place.bytes,
          numbers<std::uint32_t>(in_blocks_ + 1, checksum_blocks(place.bytes))};
}

void SectionReader::require_bytes(std::size_t section, std::uint64_t expected) const {
  const Place& place = places_[section];
  if (place.bytes != expected)
    source_.fail_at(place.first,
                    fmt::format("{} has {} bytes, {} were expected", name(section), place.bytes, expected));
}

template <typename T>
std::vector<T> SectionReader::numbers_at(std::uint64_t first, std::uint64_t count) const {
  std::vector<T> numbers(count);
  ByteCursor cursor(source_, first);
  for (std::uint64_t done = 0; done < count;) {
    const std::uint64_t some = std::min<std::uint64_t>(count - done, ByteCursor::largest_take / 4);
    convert_some(cursor.take(some * 4).data(), some, numbers.data() + done);
    done += some;
  }
  return numbers;
}

template std::vector<float> SectionReader::numbers_at(std::uint64_t, std::uint64_t) const;
template std::vector<std::uint32_t> SectionReader::numbers_at(std::uint64_t, std::uint64_t) const;

PackedTexts SectionReader::texts(std::size_t section, std::uint64_t count) const {
  const Place& place = places_[section];
  const std::uint64_t length_bytes = count * 4;
  if (place.bytes < length_bytes) require_bytes(section, length_bytes);
  PackedTexts packed;
  packed.lengths = numbers_at<std::uint32_t>(place.first, count);
  std::uint64_t bytes = length_bytes;
  for (const std::uint32_t length : packed.lengths) bytes += length;
  require_bytes(section, bytes);
  packed.text.resize(bytes - length_bytes);
  source_.read(place.first + length_bytes, std::as_writable_bytes(std::span(packed.text)));
  return packed;
}

std::string SectionReader::text(std::size_t section) const {
  std::string text(bytes(section), '\0');
  source_.read(places_[section].first, std::as_writable_bytes(std::span(text)));
  return text;
}

}  // namespace proxel::data
