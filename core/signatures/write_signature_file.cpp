#include <fmt/format.h>

#include "data/output_file.hpp"
#include "signatures/signature_file_format.hpp"

namespace proxel {
namespace signature_file {
namespace {

class Writer {
 public:
  explicit Writer(const SignatureFile& file) : file_(file) {
    for (std::uint64_t i = 0; i < file.signatures.size(); ++i)
      lengths_.push_back(static_cast<std::uint32_t>(file.signatures.length(i)));
    for (const std::string& name : file.names) names_.add(name);
  }

  void write(const data::BlockWriter::Sink& sink) const {
    data::write_sections(sink, format, kind_signatures,
                         [&](std::size_t part, data::BlockWriter& to) { write_part(part, to); });
  }

 private:
  void write_part(std::size_t part, data::BlockWriter& to) const {
    switch (part) {
      case settings:
        to.value(file_.signatures.dimensions());
        to.value(file_.signatures.size());
        to.value(std::uint64_t{file_.signatures.weights().size()});
        break;
      case lengths:
        to.values(lengths_);
        break;
      case centroids:
        to.values(file_.signatures.centroids());
        break;
      case weights:
        to.values(file_.signatures.weights());
        break;
      case names:
        names_.write(to);
        break;
      case recipe:
        to.text(file_.recipe);
        break;
    }
  }

  const SignatureFile& file_;
  std::vector<std::uint32_t> lengths_;
  data::PackedTexts names_;
};

}  // namespace

void write(const data::BlockWriter::Sink& sink, const std::string& name, const SignatureFile& file) {
  if (!file.names.empty() && file.names.size() != file.signatures.size())
    throw Error(ErrorCode::invalid_argument, name,
                fmt::format("{} names were given for {} signatures; as many or none are allowed", file.names.size(),
                            file.signatures.size()));
  Writer(file).write(sink);
}

}  // namespace signature_file

void write_signature_file(const std::string& path, const SignatureFile& file) {
  data::OutputFile output(path);
  signature_file::write([&](std::span<const std::byte> bytes) { output.write(bytes); }, path, file);
  output.finish();
}

}  // namespace proxel
