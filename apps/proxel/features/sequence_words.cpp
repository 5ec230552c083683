#include <memory>
#include <unordered_set>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "features/fasta.hpp"
#include "features/feature_kinds.hpp"
#include "files/take_turns.hpp"
#include "format.hpp"
#include "write_text.hpp"

namespace proxel::tool {
namespace {

constexpr const char* sequence_examples = R"(Examples:
  proxel data features dna genome.fa.gz --length 16 --stride 8 -o words.txt
      every 16 letters, 8 apart, a line each
  proxel data features dna reads -o reads.txt --records --names reads.csv
      whole records of every .fa, .fasta, .fna and .ffn file of a folder, also .gz
  proxel words words.txt --query ACGTACGGACGTACGG --k 5
      the nearest by the Levenshtein distance
  proxel-bench words --data words.txt
      brute force and permutation indexes over them (Lopresti 2013)

Letters become capital. A word that holds another letter than A, C, G, T and U (N, say) is left
out, and counted; whole records keep theirs. The file of names says which record of which file a word
is of, and where it begins, from 1.

A file that cannot be read is listed and left out. Exit codes: 0 all were read; 1 some could not be,
the others were written; 2 none could be, or the options are wrong; more in 'proxel --help'.)";

constexpr std::string_view sequence_endings[] = {".fa",    ".fasta",    ".fna",    ".ffn",
                                                 ".fa.gz", ".fasta.gz", ".fna.gz", ".ffn.gz"};
constexpr std::uint64_t most_bytes = std::uint64_t{1} << 32;

struct SequenceOptions : FeatureOptions {
  features::WordOptions words;
  bool records = false, unique = false;
};

// The words of all files, one behind the other.
class Words {
 public:
  Words(const SequenceOptions& options, FeaturesMade& made) : options_(options), made_(made) {}

  void add(const std::string& path) {
    const auto records = features::parse_fasta(read_text_lines(path), path);
    records_ += records.size();
    for (const features::FastaRecord& record : records)
      left_out_ +=
          features::for_each_word(record, options_.words, [&](std::uint64_t start) { add(path, record, start); });
  }

  void finish() {
    made_.objects = count_;
    made_.summary = fmt::format("{} words of {} records", with_separators(count_), with_separators(records_));
    if (left_out_ != 0)
      made_.summary += fmt::format(", {} left out for letters that are not A, C, G, T, U", with_separators(left_out_));
    if (repeated_ != 0) made_.summary += fmt::format(", {} there before", with_separators(repeated_));
    made_.facts = {{"words", count_}, {"records", records_}, {"left_out", left_out_}, {"repeated", repeated_}};
    const auto kept = std::make_shared<std::string>(std::move(text_));
    made_.write = [kept](const std::string& place) { write_text(place, *kept); };
  }

 private:
  void add(const std::string& path, const features::FastaRecord& record, std::uint64_t start) {
    const std::string word =
        record.letters.substr(start, options_.words.length == 0 ? std::string::npos : options_.words.length);
    if (options_.unique && !seen_.insert(word).second) {
      ++repeated_;
      return;
    }
    if (text_.size() + word.size() >= most_bytes)
      throw Error(ErrorCode::unsupported, "--stride", "the words are more than 4 GiB; a larger stride makes fewer");
    text_ += word;
    text_ += '\n';
    made_.names.add({path, record.name, std::to_string(start + 1)});
    ++count_;
  }

  const SequenceOptions& options_;
  FeaturesMade& made_;
  std::unordered_set<std::string> seen_;
  std::string text_;
  std::uint64_t count_ = 0, records_ = 0, left_out_ = 0, repeated_ = 0;
};

FeaturesMade make_words(FeatureWork&& work, const SequenceOptions& options) {
  FeaturesMade made{.names = std::move(work.names)};
  made.names.heading({"file", "record", "start"});
  Words words(options, made);
  // One thread: words stand in the order of the files.
  made.failures =
      files::take_turns(work.paths, 1, [&](std::size_t number) { words.add(work.paths[number]); }, work.progress);
  words.finish();
  return made;
}

}  // namespace

void add_sequence_words(CLI::App& features, Context& context) {
  CLI::App* command = make_command(features, context, "dna", "Words of nucleotides, from FASTA files: lines of text",
                                   sequence_examples);
  const auto options = std::make_shared<SequenceOptions>();
  add_feature_options(*command, *options, "FASTA files, plain or gzip, and folders of them",
                      "The text that is written, a word per line");
  CLI::Option* length = command->add_option("--length", options->words.length, "Letters of a word")
                            ->check(CLI::Range(1, 1 << 20))
                            ->type_name("COUNT")
                            ->capture_default_str();
  CLI::Option* stride =
      command->add_option("--stride", options->words.stride, "Letters from a word's begin to that of the next")
          ->check(CLI::Range(1u, UINT32_MAX))
          ->type_name("COUNT")
          ->capture_default_str();
  command->add_flag("--records", options->records, "A word for each record, all of it")
      ->excludes(length)
      ->excludes(stride);
  command->add_flag("--unique", options->unique, "Each word once");
  command->callback([&context, options] {
    if (options->records) options->words.length = 0;
    context.action = [&context, options] {
      return run_features({"dna", sequence_endings, "FASTA files"}, *options, context,
                          [&](FeatureWork&& work) { return make_words(std::move(work), *options); });
    };
  });
}

}  // namespace proxel::tool
