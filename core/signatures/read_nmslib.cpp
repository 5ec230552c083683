// The text format of NMSLIB's SQFD space: a line of the number of centroids of every
// signature, their dimensions and the number of points that were sampled; an empty line; then
// for each signature a line that names it, a line per centroid (its coordinates, then its
// weight), and an empty line, which the last may lack.

#include <array>

#include <fmt/format.h>

#include "data/fields.hpp"
#include "data/number_text.hpp"
#include "data/text_source.hpp"
#include "signatures/signature_file_format.hpp"

namespace proxel::signature_file {
namespace {

class NmslibReader {
 public:
  NmslibReader(const data::ByteSource& source, bool gzip) : source_(source), lines_(source, gzip) {}

  SignatureFile read() {
    read_header();
    SignatureFile file;
    file.signatures = Signatures(dimensions_);
    while (const auto name = lines_.next()) {
      if (name->empty()) fail("the name of a signature was expected, the line is empty");
      file.names.emplace_back(*name);
      read_signature(file.signatures);
      if (!lines_.next().value_or("").empty()) fail("an empty line was expected after the signature");
    }
    return file;
  }

 private:
  [[noreturn]] void fail(const std::string& reason) const {
    source_.fail(fmt::format("line {}: {}", lines_.line_number(), reason));
  }

  std::string_view line() {
    const auto next = lines_.next();
    if (!next) source_.fail(fmt::format("the file ends after line {}, within a signature", lines_.line_number()));
    return *next;
  }

  void read_header() {
    // Nothing else of a wrong file would say so little.
    const auto not_this = [&] {
      source_.fail(
          "neither a file of feature signatures that proxel has saved nor the text of NMSLIB's SQFD space, "
          "whose first line is three numbers: centroids per signature, dimensions, points");
    };
    const auto first = lines_.next();
    if (!first) source_.fail("the file is empty");
    std::array<std::int32_t, 3> numbers{};
    data::FieldSplitter fields(*first, data::blanks);
    for (std::int32_t& number : numbers) {
      const auto field = fields.next();
      if (!field || data::parse_number(field->text, number) != data::NumberProblem::none) not_this();
    }
    if (fields.next()) not_this();
    const auto within = [&](std::int32_t number, std::uint64_t largest, const char* of) {
      if (number < 1 || static_cast<std::uint64_t>(number) > largest)
        fail(fmt::format("{} {}, 1 to {} are allowed", number, of, largest));
      return static_cast<std::uint32_t>(number);
    };
    length_ = within(numbers[0], Signatures::largest_length, "centroids per signature");
    dimensions_ = within(numbers[1], Signatures::largest_dimensions, "dimensions");
    if (!line().empty()) fail("an empty line was expected after the first");
  }

  void read_signature(Signatures& signatures) {
    centroids_.clear();
    weights_.clear();
    for (std::uint32_t i = 0; i < length_; ++i) {
      data::FieldSplitter fields(line(), data::blanks);
      for (std::uint32_t column = 1; column <= dimensions_ + 1; ++column) {
        const auto field = fields.next();
        if (!field) fail(fmt::format("{} numbers, {} coordinates and a weight were expected", column - 1, dimensions_));
        float value = 0;
        if (data::parse_number(field->text, value) != data::NumberProblem::none)
          fail(fmt::format("column {}: \"{}\" is not a number of binary32", column, data::printable(field->text)));
        (column <= dimensions_ ? centroids_ : weights_).push_back(value);
      }
      if (fields.next()) fail(fmt::format("more than {} coordinates and a weight", dimensions_));
    }
    add(signatures, centroids_, weights_, [&](const std::string& reason) { fail(reason); });
  }

  const data::ByteSource& source_;
  data::LineReader lines_;
  std::uint32_t length_ = 0, dimensions_ = 0;
  std::vector<float> centroids_, weights_;
};

}  // namespace

SignatureFile read_nmslib(const data::ByteSource& source, bool gzip) { return NmslibReader(source, gzip).read(); }

}  // namespace proxel::signature_file
