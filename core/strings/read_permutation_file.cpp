#include <algorithm>

#include <fmt/format.h>

#include "data/elements.hpp"
#include "data/guarded.hpp"
#include "passes/permutation_positions.hpp"
#include "strings/permutation_file_layout.hpp"

namespace proxel::strings {

using namespace permutation_file;
using data::ByteSource;

namespace {

struct Place {
  std::uint64_t first;
  std::uint64_t bytes;
};
using Places = std::array<Place, parts>;

std::vector<std::uint32_t> read_numbers(const ByteSource& source, std::uint64_t first, std::uint64_t count) {
  std::vector<std::uint32_t> numbers(count);
  data::ByteCursor cursor(source, first);
  for (std::uint64_t done = 0; done < count;) {
    const std::uint64_t some = std::min<std::uint64_t>(count - done, data::ByteCursor::largest_take / 4);
    data::convert(ElementType::int32, false, cursor.take(some * 4).data(), some,
                  reinterpret_cast<std::int32_t*>(numbers.data() + done));
    done += some;
  }
  return numbers;
}

Checksum read_checksum(const ByteSource& source, const Place& place) {
  Checksum sum;
  data::ByteCursor cursor(source, place.first);
  while (sum.bytes < place.bytes)
    sum.add(cursor.take(std::min<std::uint64_t>(place.bytes - sum.bytes, data::ByteCursor::largest_take)));
  return sum;
}

void require_checksum(const ByteSource& source, const Place& place, std::uint32_t expected,
                      const std::string& what) {
  const std::uint32_t found = read_checksum(source, place).value;
  if (found != expected)
    source.fail(fmt::format("{} damaged: checksum {:08x}, {:08x} was expected", what, found, expected));
}

std::string name_of(std::size_t part) {
  return fmt::format("section {} ({})", part_names[part].tag, part_names[part].words);
}

using Header = std::array<std::byte, header_bytes>;

std::uint32_t number_at(const Header& header, std::size_t offset) {
  std::int32_t bits = 0;
  data::convert(ElementType::int32, false, header.data() + offset, 1, &bits);
  return static_cast<std::uint32_t>(bits);
}

bool has_text_at(const Header& header, std::size_t offset, std::string_view text) {
  return std::ranges::equal(std::span(header).subspan(offset, text.size()), std::as_bytes(std::span(text)));
}

// Of a file that this program can read; not damaged itself.
Header read_header(const ByteSource& source) {
  Header header{};
  // Another version may have a shorter one.
  source.read(0, std::span(header).first<start_bytes>());
  if (!has_text_at(header, 0, magic)) source.fail_at(0, "not an index that proxel has saved");
  const std::uint32_t version = number_at(header, 8), kind = number_at(header, 12);
  if (version != this_version)
    throw Error(ErrorCode::unsupported, source.name(),
                fmt::format("an index in version {} of the format; this program reads version {}", version,
                            this_version));
  if (kind != kind_levenshtein && kind != kind_hamming)
    throw Error(ErrorCode::unsupported, source.name(),
                fmt::format("an index of objects of kind {}; this program reads kinds {} and {}, strings", kind,
                            kind_levenshtein, kind_hamming));
  source.read(0, header);
  constexpr std::size_t checked = header_bytes - 4;
  require_checksum(source, {0, checked}, number_at(header, checked), "the header is");
  return header;
}

// Where the parts are, none of them damaged.
Places find_parts(const ByteSource& source, const Header& header) {
  Places places;
  std::uint64_t first = header_bytes;
  for (std::size_t part = 0; part < parts; ++part) {
    const std::size_t entry = start_bytes + part * entry_bytes;
    if (!has_text_at(header, entry, part_names[part].tag))
      source.fail_at(entry, fmt::format("{} was expected", name_of(part)));
    const std::uint64_t bytes =
        std::uint64_t{number_at(header, entry + 12)} << 32 | number_at(header, entry + 8);
    if (bytes > source.size() - first)
      source.fail_at(source.size(), fmt::format("the file ends within {}, which has {} bytes from byte {} on",
                                                name_of(part), bytes, first));
    places[part] = {first, bytes};
    first += bytes;
  }
  if (first != source.size()) source.fail_at(first, "the index ends here, but the file does not");
  for (std::size_t part = 0; part < parts; ++part)
    require_checksum(source, places[part], number_at(header, start_bytes + part * entry_bytes + 4),
                     name_of(part) + " is");
  return places;
}

StringDistance distance_of(const Header& header) {
  return number_at(header, 12) == kind_hamming ? StringDistance::hamming : StringDistance::levenshtein;
}

class Reader {
 public:
  explicit Reader(const ByteSource& source) : Reader(source, read_header(source)) {}

  PermutationFile read() const {
    require_bytes(settings, settings_bytes);
    const auto words = read_numbers(source_, places_[settings].first, settings_bytes / 4);
    if (words[0] > last_units) source_.fail(fmt::format("strings of unknown units, {}", words[0]));
    if (words[1] > last_distance)
      source_.fail(fmt::format("an unknown permutation distance, {}", words[1]));
    PermutationFile file;
    file.string_distance = string_distance_;
    file.units = static_cast<StringUnits>(words[0]);
    file.distance = static_cast<PermutationDistance>(words[1]);
    file.kept = words[2];
    file.next_identifier = words[3];
    const std::uint32_t object_count = words[4], permutant_count = words[5];
    const Refusal refuse = [&](const std::string& reason) { source_.fail(reason); };
    check_permutants(permutant_count, refuse);
    file.objects = strings(objects, object_count, file.units);
    file.identifiers = numbers(identifiers, object_count);
    file.permutants = strings(permutants, permutant_count, file.units);
    file.permutant_identifiers = numbers(permutant_identifiers, permutant_count);
    file.positions = numbers(positions, passes::permutation_bytes(object_count, permutant_count) / 4);
    check(file, refuse);
    return file;
  }

 private:
  Reader(const ByteSource& source, const Header& header)
      : source_(source), places_(find_parts(source, header)), string_distance_(distance_of(header)) {}

  void require_bytes(Part part, std::uint64_t expected) const {
    if (places_[part].bytes != expected)
      source_.fail_at(places_[part].first, fmt::format("{} has {} bytes, {} were expected", name_of(part),
                                                       places_[part].bytes, expected));
  }

  std::vector<std::uint32_t> numbers(Part part, std::uint64_t count) const {
    require_bytes(part, count * 4);
    return read_numbers(source_, places_[part].first, count);
  }

  Strings strings(Part part, std::uint32_t count, StringUnits units) const {
    const Place& place = places_[part];
    const std::uint64_t length_bytes = std::uint64_t{count} * 4;
    if (place.bytes < length_bytes) require_bytes(part, length_bytes);
    std::uint64_t bytes = length_bytes;
    const auto lengths = read_numbers(source_, place.first, count);
    for (const std::uint32_t length : lengths) bytes += length;
    require_bytes(part, bytes);

    std::string text(bytes - length_bytes, '\0');
    source_.read(place.first + length_bytes, std::as_writable_bytes(std::span(text)));
    Strings strings(units);
    std::string_view rest = text;
    try {
      for (const std::uint32_t length : lengths) {
        strings.add(rest.substr(0, length));
        rest.remove_prefix(length);
      }
    } catch (const Error& error) {
      source_.fail(fmt::format("{}: {}", name_of(part), error.what()));
    }
    return strings;
  }

  const ByteSource& source_;
  Places places_;
  StringDistance string_distance_;
};

}  // namespace

PermutationFile read_permutation_file(const ByteSource& source) {
  return data::guarded(source.name(), [&] { return Reader(source).read(); });
}

PermutationFile read_permutation_file(const std::string& path) {
  return read_permutation_file(data::FileSource(path));
}

}  // namespace proxel::strings
