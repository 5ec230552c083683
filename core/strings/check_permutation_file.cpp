#include <bitset>

#include <fmt/format.h>

#include "passes/permutation_positions.hpp"
#include "strings/packed_strings.hpp"
#include "strings/permutation_file_layout.hpp"

namespace proxel::strings::permutation_file {
namespace {

void check_identifiers(const PermutationFile& file, const Refusal& refuse) {
  std::uint64_t least = 0;
  for (std::size_t i = 0; i < file.identifiers.size(); ++i) {
    const std::uint32_t identifier = file.identifiers[i];
    if (identifier < least)
      refuse(fmt::format("object {} has identifier {}, not above that of the one before", i, identifier));
    least = std::uint64_t{identifier} + 1;
  }
  if (least > file.next_identifier)
    refuse(fmt::format("identifier {} is used, and {} is to be the next", least - 1, file.next_identifier));
  for (const std::uint32_t identifier : file.permutant_identifiers)
    if (identifier >= file.next_identifier)
      refuse(fmt::format("a permutant was object {}, and {} is to be the next", identifier, file.next_identifier));
}

void check_positions(const PermutationFile& file, const Refusal& refuse) {
  const std::uint64_t count = file.objects.size();
  const auto permutant_count = static_cast<std::uint32_t>(file.permutants.size());
  const std::uint32_t words = passes::permutation_words(permutant_count);
  for (std::uint64_t object = 0; object < file.positions.size() / words; ++object) {
    const std::uint32_t* word = file.positions.data() + passes::permutation_word(object, permutant_count);
    std::bitset<passes::most_permutants> seen;
    std::uint32_t behind = 0;  // permutants past the kept ones, which stand together
    for (std::uint32_t i = 0; i < words * 4; ++i) {
      const std::uint32_t position = word[i / 4 * passes::permutation_block] >> (i % 4 * 8) & 255;
      if (object >= count || i >= permutant_count) {
        if (position != 0) refuse(fmt::format("positions past the last of object {} are not 0", object));
      } else if (position == file.kept) {
        ++behind;
      } else if (position > file.kept || seen[position]) {
        refuse(fmt::format("the positions of object {} are not a permutation of 0 … {}, of which {} are kept", object,
                           permutant_count - 1, file.kept));
      } else {
        seen.set(position);
      }
    }
    if (object < count && behind != permutant_count - file.kept)
      refuse(fmt::format("object {} keeps {} permutants, {} are said to be kept", object, permutant_count - behind,
                         file.kept));
  }
}

}  // namespace

void check_permutants(std::uint64_t count, const Refusal& refuse) {
  if (count < 1 || count > passes::most_permutants)
    refuse(fmt::format("{} permutants, 1 … {} are allowed", count, passes::most_permutants));
}

void check(const PermutationFile& file, const Refusal& refuse) {
  const std::uint64_t permutant_count = file.permutants.size();
  check_permutants(permutant_count, refuse);
  if (file.kept < 1 || file.kept > permutant_count)
    refuse(fmt::format("the nearest {} of {} permutants cannot count", file.kept, permutant_count));
  if (file.objects.units() != file.units || file.permutants.units() != file.units)
    refuse("objects or permutants are of other units than is said");
  for (const Strings* strings : {&file.objects, &file.permutants})
    if (strings->longest() > most_symbols)
      refuse(fmt::format("a string has {} symbols, {} are supported", strings->longest(), most_symbols));
  if (file.identifiers.size() != file.objects.size())
    refuse(fmt::format("{} objects have {} identifiers", file.objects.size(), file.identifiers.size()));
  if (file.permutant_identifiers.size() != permutant_count)
    refuse(fmt::format("{} permutants have {} identifiers", permutant_count, file.permutant_identifiers.size()));
  check_identifiers(file, refuse);
  const std::uint64_t words =
      passes::permutation_bytes(file.objects.size(), static_cast<std::uint32_t>(permutant_count)) / 4;
  if (file.positions.size() != words)
    refuse(fmt::format("the positions take {} words, {} were given", words, file.positions.size()));
  check_positions(file, refuse);
}

}  // namespace proxel::strings::permutation_file
