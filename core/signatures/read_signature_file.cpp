#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "data/elements.hpp"
#include "data/guarded.hpp"
#include "data/text_source.hpp"
#include "signatures/signature_file_format.hpp"

namespace proxel {
namespace signature_file {
namespace {

class Reader {
 public:
  explicit Reader(const data::ByteSource& source) : source_(source), sections_(source, format) {}

  SignatureFile read() const {
    const auto words = sections_.numbers<std::uint32_t>(settings, settings_words);
    const std::uint32_t dimensions = words[0];
    const std::uint64_t count = joined(words[1], words[2]), centroid_count = joined(words[3], words[4]);
    if (dimensions < 1 || dimensions > Signatures::largest_dimensions)
      source_.fail(fmt::format("{} dimensions, 1 to {} are allowed", dimensions, Signatures::largest_dimensions));
    SignatureFile file;
    require_numbers(lengths, count);
    require_numbers(weights, centroid_count);
    file.signatures = signatures(dimensions, count, centroid_count);
    file.names = read_names(count);
    file.recipe = sections_.text(recipe);
    return file;
  }

 private:
  static std::uint64_t joined(std::uint32_t low, std::uint32_t high) { return std::uint64_t{high} << 32 | low; }

  // So many of 32 bits, which may be more than 64 bits can count the bytes of.
  void require_numbers(Part part, std::uint64_t count) const {
    const auto bytes = data::product(count, 4);
    sections_.require_bytes(part, bytes.value_or(UINT64_MAX));
  }

  Signatures signatures(std::uint32_t dimensions, std::uint64_t count, std::uint64_t centroid_count) const {
    const auto each_length = sections_.numbers<std::uint32_t>(lengths, count);
    const std::uint64_t together = std::accumulate(each_length.begin(), each_length.end(), std::uint64_t{0});
    if (together != centroid_count)
      source_.fail(
          fmt::format("signatures of {} centroids together, {} are said to be there", together, centroid_count));
    // No overflow: the weights are there, and dimensions have an upper limit.
    require_numbers(centroids, together * dimensions);
    const auto all_weights = sections_.numbers<float>(weights, together);
    const auto coordinates = sections_.numbers<float>(centroids, together * dimensions);
    Signatures signatures(dimensions);
    std::uint64_t before = 0;
    for (const std::uint32_t length : each_length) {
      add(signatures, std::span(coordinates).subspan(before * dimensions, std::uint64_t{length} * dimensions),
          std::span(all_weights).subspan(before, length), [&](const std::string& reason) { source_.fail(reason); });
      before += length;
    }
    return signatures;
  }

  // One per signature, or none and no lengths of any either.
  std::vector<std::string> read_names(std::uint64_t count) const {
    std::vector<std::string> all;
    if (sections_.bytes(names) == 0) return all;
    const data::PackedTexts packed = sections_.texts(names, count);
    std::size_t first = 0;
    for (const std::uint32_t length : packed.lengths) {
      all.push_back(packed.text.substr(first, length));
      first += length;
    }
    return all;
  }

  const data::ByteSource& source_;
  data::SectionReader sections_;
};

}  // namespace

void add(Signatures& signatures, std::span<const float> centroids, std::span<const float> weights,
         const data::Refusal& fail) {
  try {
    signatures.add(centroids, weights);
  } catch (const Error& error) {
    fail(error.what());
  }
}

SignatureFile read_sections(const data::ByteSource& source) { return Reader(source).read(); }

SignatureFile read(const data::ByteSource& source) {
  return data::guarded(source.name(), [&] {
    return data::begins_as_section_file(source) ? read_sections(source) : read_nmslib(source, data::is_gzip(source));
  });
}

}  // namespace signature_file

SignatureFile read_signature_file(const std::string& path) { return signature_file::read(data::FileSource(path)); }

}  // namespace proxel
