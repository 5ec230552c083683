#include "data/output_file.hpp"
#include "strings/permutation_file_layout.hpp"

namespace proxel::strings {

using namespace permutation_file;
using data::BlockWriter;

namespace {

struct PackedText {
  explicit PackedText(const Strings& strings) {
    for (std::uint64_t i = 0; i < strings.size(); ++i) {
      const std::string string = strings.text(i);
      lengths.push_back(static_cast<std::uint32_t>(string.size()));
      text += string;
    }
  }
  void write(BlockWriter& to) const {
    to.values(lengths);
    to.text(text);
  }

  std::vector<std::uint32_t> lengths;
  std::string text;
};

class Writer {
 public:
  explicit Writer(const PermutationFile& file)
      : file_(file), objects_(file.objects), permutants_(file.permutants) {}

  void write(const BlockWriter::Sink& sink) const {
    Checksum header;
    BlockWriter to([&](std::span<const std::byte> bytes) {
      header.add(bytes);
      sink(bytes);
    });
    to.text(magic);
    to.value(this_version);
    to.value(file_.string_distance == StringDistance::hamming ? kind_hamming : kind_levenshtein);
    for (std::size_t part = 0; part < parts; ++part) {
      Checksum content;
      BlockWriter measure([&](std::span<const std::byte> bytes) { content.add(bytes); });
      write_part(part, measure);
      measure.flush();
      to.text(part_names[part].tag);
      to.value(content.value);
      to.value(content.bytes);
    }
    to.flush();
    to.value(header.value);
    for (std::size_t part = 0; part < parts; ++part) write_part(part, to);
    to.flush();
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
      case objects: objects_.write(to); break;
      case identifiers: to.values(file_.identifiers); break;
      case permutants: permutants_.write(to); break;
      case permutant_identifiers: to.values(file_.permutant_identifiers); break;
      case positions: to.values(file_.positions); break;
    }
  }

  const PermutationFile& file_;
  PackedText objects_, permutants_;
};

}  // namespace

void write_permutation_file(const BlockWriter::Sink& sink, const std::string& name,
                            const PermutationFile& file) {
  check(file, [&](const std::string& reason) { throw Error(ErrorCode::invalid_argument, name, reason); });
  Writer(file).write(sink);
}

void write_permutation_file(const std::string& path, const PermutationFile& file) {
  data::OutputFile output(path);
  write_permutation_file([&](std::span<const std::byte> bytes) { output.write(bytes); }, path, file);
  output.finish();
}

}  // namespace proxel::strings
