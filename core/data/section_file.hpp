#pragma once

// Files of named sections under checksums: what the formats of docs/permutation-file.md,
// docs/signature-file.md and docs/index-file.md have in common.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/block_checksums.hpp"
#include "data/block_writer.hpp"
#include "data/byte_source.hpp"

namespace proxel::data {

/// No other format begins so, and what changes line ends or the eighth bit changes it.
inline constexpr std::string_view section_file_magic = "\x89proxel\n";

struct SectionName {
  std::string_view tag;    ///< 4 letters
  std::string_view words;  ///< what errors say beside it
};

/// One of the formats. All of it outlives its readers.
struct SectionFormat {
  std::string_view what;  ///< "an index"
  std::uint32_t version;
  std::span<const std::uint32_t> kinds;   ///< the kinds of objects that the reader knows
  std::string_view kinds_in_words;        ///< "kinds 1 and 2, strings"
  std::span<const SectionName> sections;  ///< in this order
  /// A section that is too large to be read before anything else is: the one behind it has the
  /// checksums of its blocks, and its own entry the checksum 0.
  std::size_t in_blocks = SIZE_MAX;
};

/// Throws an error that gives the reason.
using Refusal = std::function<void(const std::string& reason)>;

/// Texts as a section holds them: the length of each, then all one after another.
struct PackedTexts {
  void add(std::string_view one);
  void write(BlockWriter& to) const;

  std::vector<std::uint32_t> lengths;
  std::string text;
};

/// Hands on the header and the sections. `write_section` is asked for each twice, as the
/// checksums stand before them; for the checksums of blocks never.
void write_sections(const BlockWriter::Sink& sink, const SectionFormat& format, std::uint32_t kind,
                    const std::function<void(std::size_t section, BlockWriter& to)>& write_section);

/// The sections of a file, none of them damaged, but for that in blocks.
class SectionReader {
 public:
  /// Checks the header and every checksum before anything is believed.
  /// Throws Error: malformed_file, which says what is damaged; unsupported for files of
  /// another version or kind; input_output.
  SectionReader(const ByteSource& source, const SectionFormat& format);

  std::uint32_t kind() const { return kind_; }
  std::uint64_t bytes(std::size_t section) const { return places_[section].bytes; }
  /// Where the section begins in the file.
  std::uint64_t first(std::size_t section) const { return places_[section].first; }
  /// Those of the section in blocks.
  BlockChecksums block_checksums() const;
  /// "section INFO (settings)"
  std::string name(std::size_t section) const;
  /// Throws Error(malformed_file) unless the section has that number of bytes.
  void require_bytes(std::size_t section, std::uint64_t expected) const;

  /// The whole section, which must hold exactly `count` numbers of 32 bits.
  template <typename T>
  std::vector<T> numbers(std::size_t section, std::uint64_t count) const {
    require_bytes(section, count * sizeof(T));
    return numbers_at<T>(places_[section].first, count);
  }
  /// The whole section, which must hold exactly `count` texts.
  PackedTexts texts(std::size_t section, std::uint64_t count) const;
  /// The whole section.
  std::string text(std::size_t section) const;

 private:
  struct Place {
    std::uint64_t first;
    std::uint64_t bytes;
  };

  void read_header(const SectionFormat& format, std::vector<std::byte>& header);
  void require_checksum(const Place& place, std::uint32_t expected, const std::string& what) const;
  template <typename T>
  std::vector<T> numbers_at(std::uint64_t first, std::uint64_t count) const;

  const ByteSource& source_;
  std::span<const SectionName> names_;
  std::size_t in_blocks_;
  std::uint32_t kind_ = 0;
  std::vector<Place> places_;
};

/// Whether the file begins as those of write_sections do, whatever their kind. Throws as FileSource.
bool begins_as_section_file(const ByteSource& source);

}  // namespace proxel::data
