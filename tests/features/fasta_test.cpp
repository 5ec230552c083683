// Sequences and their words.
#include <span>

#include "features/fasta.hpp"
#include "support.hpp"

using namespace proxel;
using namespace proxel::features;
using namespace proxel::testing;

namespace {

std::vector<FastaRecord> parse(const std::string& text) {
  return parse_fasta(read_text_lines(std::as_bytes(std::span(text)), "a.fa"), "a.fa");
}

std::string refused(const std::string& text) {
  return refusal([&] { parse(text); });
}

std::vector<std::string> words(const std::string& letters, const WordOptions& options,
                               std::uint64_t* left_out = nullptr) {
  std::vector<std::string> texts;
  const std::uint64_t others = for_each_word({"r", letters}, options, [&](std::uint64_t start) {
    texts.push_back(letters.substr(start, options.length == 0 ? std::string::npos : options.length));
  });
  if (left_out != nullptr) *left_out = others;
  return texts;
}

using Words = std::vector<std::string>;

}  // namespace

TEST_CASE("records, their names, comments and both kinds of letters") {
  const auto records = parse(">one a gene\r\nACGT\r\nacgu n\r\n\r\n;comment\n> \nTTA*\n>\nRYK-\n");
  REQUIRE(records.size() == 3);
  CHECK(records[0].name == "one");
  CHECK(records[0].letters == "ACGTACGUN");
  CHECK(records[1].name.empty());
  CHECK(records[1].letters == "TTA");
  CHECK(records[2].letters == "RYK-");
}

TEST_CASE("what is wrong is told with its line") {
  CHECK(refused("") == "a.fa: the file has no record");
  CHECK(refused("\n\nACGT\n") == "a.fa: line 3: a FASTA file begins with '>' and the name of a record");
  CHECK(refused("@read\nACGT\n+\nIIII\n").find("line 1") != std::string::npos);
  CHECK(refused(">a\nACGT\nACJT\n") == "a.fa: line 3: 'J' is no code of a nucleotide");
  CHECK(refused(">a\nAC\x01\n") == "a.fa: line 2: byte 1 is no code of a nucleotide");
  CHECK(refused(">a\n\n>b\nA\n") == "a.fa: line 1: the record 'a' has no letters");
  CHECK(refused(">a\nA\n>b") == "a.fa: line 3: the record 'b' has no letters");
  CHECK(refused(">a\nAC*\nA\n") == "a.fa: line 3: letters behind the '*' that ends a sequence");
}

TEST_CASE("words are the substrings of plain letters, stride by stride") {
  CHECK(words("ACGTA", {3, 1}) == Words{"ACG", "CGT", "GTA"});
  CHECK(words("ACGTACG", {3, 2}) == Words{"ACG", "GTA", "ACG"});
  CHECK(words("ACGTACG", {2, 5}) == Words{"AC", "CG"});
  CHECK(words("AC", {3, 1}) == Words{});
  CHECK(words("ACNGT", {0, 1}) == Words{"ACNGT"});
  std::uint64_t left_out = 0;
  CHECK(words("ACGNACG", {2, 1}, &left_out) == Words{"AC", "CG", "AC", "CG"});
  CHECK(left_out == 2);
  CHECK(words("NACGTN", {2, 3}, &left_out) == Words{"GT"});
  CHECK(left_out == 1);
}
