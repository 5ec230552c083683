#include "data/output_file.hpp"
#include "strings/permutation_file_layout.hpp"

namespace proxel::strings {

using namespace permutation_file;
using data::BlockWriter;

namespace {

data::PackedTexts packed(const Strings& strings) {
  data::PackedTexts texts;
  for (std::uint64_t i = 0; i < strings.size(); ++i) texts.add(strings.text(i));
  return texts;
}

class Writer {
 public:
  explicit Writer(const PermutationFile& file)
      : file_(file), objects_(packed(file.objects)), permutants_(packed(file.permutants)) {}

  void write(const BlockWriter::Sink& sink) const {
    const std::uint32_t kind = file_.string_distance == StringDistance::hamming ? kind_hamming : kind_levenshtein;
    data::write_sections(sink, format, kind, [&](std::size_t part, BlockWriter& to) { write_part(part, to); });
  }

 private:
  void write_part(std::size_t part, BlockWriter& to) const {
    switch (part) {
      case settings:
        to.value(static_cast<std::uint32_t>(file_.units));
        to.value(static_cast<std::uint32_t>(file_.distance));
        to.value(file_.kept);
        to.value(file_.next_identifier);
        to.value(static_cast<std::uint32_t>(file_.objects.size()));
        to.value(static_cast<std::uint32_t>(file_.permutants.size()));
        break;
      case objects:
        objects_.write(to);
        break;
      case identifiers:
        to.values(file_.identifiers);
        break;
      case permutants:
        permutants_.write(to);
        break;
      case permutant_identifiers:
        to.values(file_.permutant_identifiers);
        break;
      case positions:
        to.values(file_.positions);
        break;
    }
  }

  const PermutationFile& file_;
  data::PackedTexts objects_, permutants_;
};

}  // namespace

void write_permutation_file(const BlockWriter::Sink& sink, const std::string& name, const PermutationFile& file) {
  check(file, [&](const std::string& reason) { throw Error(ErrorCode::invalid_argument, name, reason); });
  Writer(file).write(sink);
}

void write_permutation_file(const std::string& path, const PermutationFile& file) {
  data::OutputFile output(path);
  write_permutation_file([&](std::span<const std::byte> bytes) { output.write(bytes); }, path, file);
  output.finish();
}

}  // namespace proxel::strings
