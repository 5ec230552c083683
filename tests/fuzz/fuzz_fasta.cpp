// Sequences of FASTA files, plain or gzip, and their words.
#include <span>
#include <string>

#include "check.hpp"
#include "features/fasta.hpp"
#include "promises.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace proxel;
  const auto records = fuzzing::attempt("genes", [&] {
    return features::parse_fasta(read_text_lines(std::as_bytes(std::span(bytes, size)), "genes"), "genes");
  });
  if (!records) return 0;
  for (const features::FastaRecord& record : *records) {
    fuzzing::require(!record.letters.empty(), "a record has letters");
    features::for_each_word(record, {.length = 3, .stride = 2}, [&](std::uint64_t start) {
      const std::string word = record.letters.substr(start, 3);
      fuzzing::require(word.size() == 3 && start % 2 == 0, "a word has its length and its place");
      fuzzing::require(word.find_first_not_of("ACGTU") == std::string::npos, "a word has plain letters alone");
    });
  }
  return 0;
}
