#include "features/fasta.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "proxel/error.hpp"

namespace proxel::features {
namespace {

constexpr std::string_view plain = "ACGTU", codes = "ACGTURYSWKMBDHVN-";

class Reader {
 public:
  Reader(const TextLines& text, const std::string& name) : text_(text), name_(name) {}

  std::vector<FastaRecord> records() {
    for (at_ = 0; at_ < text_.lines.size(); ++at_) read(text_.lines[at_]);
    end_record();
    return std::move(records_);
  }

 private:
  [[noreturn]] void fail(std::size_t at, const std::string& reason) const {
    throw Error(ErrorCode::malformed_file, name_, fmt::format("line {}: {}", text_.line_number(at), reason));
  }

  void read(const std::string& line) {
    if (line[0] == ';') return;
    if (line[0] == '>') {
      end_record();
      begun_ = at_;
      records_.push_back({line.substr(1, line.find_first_of(" \t") - 1), {}});
      ended_ = false;
      return;
    }
    if (records_.empty()) fail(at_, "a FASTA file begins with '>' and the name of a record");
    for (const char c : line) add(c);
  }

  void add(char c) {
    const char letter = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    if (c == ' ' || c == '\t' || c == '\r') return;
    if (c == '*') {
      ended_ = true;
      return;
    }
    if (codes.find(letter) == std::string_view::npos)
      fail(at_, c > 0x20 && c < 0x7F
                    ? fmt::format("'{}' is no code of a nucleotide", c)
                    : fmt::format("byte {} is no code of a nucleotide", static_cast<unsigned char>(c)));
    if (ended_) fail(at_, "letters behind the '*' that ends a sequence");
    records_.back().letters += letter;
  }

  void end_record() const {
    if (!records_.empty() && records_.back().letters.empty())
      fail(begun_, fmt::format("the record '{}' has no letters", records_.back().name.substr(0, 100)));
  }

  const TextLines& text_;
  const std::string& name_;
  std::vector<FastaRecord> records_;
  std::size_t at_ = 0, begun_ = 0;
  bool ended_ = false;
};

}  // namespace

std::vector<FastaRecord> parse_fasta(const TextLines& text, const std::string& name) {
  std::vector<FastaRecord> records = Reader(text, name).records();
  if (records.empty()) throw Error(ErrorCode::malformed_file, name, "the file has no record");
  return records;
}

std::uint64_t for_each_word(const FastaRecord& record, const WordOptions& options,
                            const std::function<void(std::uint64_t)>& take) {
  if (options.length == 0) {
    take(0);
    return 0;
  }
  const std::string_view letters = record.letters;
  std::uint64_t left_out = 0, plain_from = 0, looked = 0;  // all letters from the one up to the other are plain
  for (std::uint64_t start = 0; start + options.length <= letters.size(); start += options.stride) {
    for (looked = std::max(looked, start); looked < start + options.length; ++looked)
      if (plain.find(letters[looked]) == std::string_view::npos) plain_from = looked + 1;
    if (plain_from <= start)
      take(start);
    else
      ++left_out;
  }
  return left_out;
}

}  // namespace proxel::features
