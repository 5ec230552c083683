#include <fmt/format.h>

#include "data/guarded.hpp"
#include "passes/permutation_positions.hpp"
#include "strings/permutation_file_layout.hpp"

namespace proxel::strings {

using namespace permutation_file;
using data::ByteSource;

namespace {

class Reader {
 public:
  explicit Reader(const ByteSource& source) : source_(source), sections_(source, format) {}

  PermutationFile read() const {
    const auto words = sections_.numbers<std::uint32_t>(settings, settings_words);
    if (words[0] > last_units) source_.fail(fmt::format("strings of unknown units, {}", words[0]));
    if (words[1] > last_distance) source_.fail(fmt::format("an unknown permutation distance, {}", words[1]));
    PermutationFile file;
    file.string_distance = sections_.kind() == kind_hamming ? StringDistance::hamming : StringDistance::levenshtein;
    file.units = static_cast<StringUnits>(words[0]);
    file.distance = static_cast<PermutationDistance>(words[1]);
    file.kept = words[2];
    file.next_identifier = words[3];
    const std::uint32_t object_count = words[4], permutant_count = words[5];
    const Refusal refuse = [&](const std::string& reason) { source_.fail(reason); };
    check_permutants(permutant_count, refuse);
    file.objects = strings(objects, object_count, file.units);
    file.identifiers = sections_.numbers<std::uint32_t>(identifiers, object_count);
    file.permutants = strings(permutants, permutant_count, file.units);
    file.permutant_identifiers = sections_.numbers<std::uint32_t>(permutant_identifiers, permutant_count);
    file.positions =
        sections_.numbers<std::uint32_t>(positions, passes::permutation_bytes(object_count, permutant_count) / 4);
    check(file, refuse);
    return file;
  }

 private:
  Strings strings(Part part, std::uint32_t count, StringUnits units) const {
    const data::PackedTexts packed = sections_.texts(part, count);
    Strings strings(units);
    std::string_view rest = packed.text;
    try {
      for (const std::uint32_t length : packed.lengths) {
        strings.add(rest.substr(0, length));
        rest.remove_prefix(length);
      }
    } catch (const Error& error) {
      source_.fail(fmt::format("{}: {}", sections_.name(part), error.what()));
    }
    return strings;
  }

  const ByteSource& source_;
  data::SectionReader sections_;
};

}  // namespace

PermutationFile read_permutation_file(const ByteSource& source) {
  return data::guarded(source.name(), [&] { return Reader(source).read(); });
}

PermutationFile read_permutation_file(const std::string& path) { return read_permutation_file(data::FileSource(path)); }

}  // namespace proxel::strings
