#include <memory>

#include <CLI/CLI.hpp>

#include "features/feature_kinds.hpp"
#include "features/terms.hpp"
#include "files/file_bytes.hpp"

namespace proxel::tool {
namespace {

constexpr const char* document_examples = R"(Examples:
  proxel data features documents texts -o documents.npy --names documents.txt
      how often terms occur in every .txt, .text and .md file of the folder and below it
  proxel data features documents 20news --all-files --dimensions 2048 --idf --unit -o news.npy
      every file, whatever it is called; terms that few texts have weigh more; length 1
  proxel search --database documents.npy --queries asked.npy --metric cosine --k 10 --output alike
      the most similar texts
  proxel-bench permutation --data documents.npy --metric cosine
      how well permutation indexes find them (Lopresti 2013)

A term is a run of letters and digits of UTF-8 text, in small letters; its place in the vector is its
hash (FNV-1a of 64 bits, its halves combined by exclusive or) modulo the dimensions, so that a
new text needs no dictionary (docs/features.md).

A file that cannot be read is listed and left out. Exit codes: 0 all were read; 1 some could not be,
the others were written; 2 none could be, or the options are wrong; more in 'proxel --help'.)";

struct DocumentOptions : FeatureOptions {
  std::uint32_t dimensions = 512;
  bool all_files = false, idf = false, unit = false;
};

}  // namespace

std::span<const std::string_view> endings_of_texts(bool all_files) {
  static constexpr std::string_view of_texts[] = {".txt", ".text", ".md"};
  static constexpr std::string_view any[] = {""};
  return all_files ? std::span<const std::string_view>(any) : of_texts;
}

FileRows count_terms_of_files(const FeatureWork& work, std::uint32_t dimensions, std::vector<std::uint64_t>& terms) {
  terms.resize(work.paths.size());
  return rows_of_files(work, dimensions, [&](std::size_t number, float* row) {
    const std::string& path = work.paths[number];
    const std::vector<std::uint8_t> bytes = files::file_bytes(path, features::most_text_bytes);
    terms[number] = features::count_terms(path, files::as_text(bytes), dimensions, row);
  });
}

namespace {

FeaturesMade make_documents(FeatureWork&& work, const DocumentOptions& options) {
  std::vector<std::uint64_t> terms;
  FileRows made = count_terms_of_files(work, options.dimensions, terms);
  if (options.idf) features::weigh(made.rows, features::rarity_weights(made.rows));
  if (options.unit) features::make_unit_length(made.rows);
  FeaturesMade result{.names = std::move(work.names)};
  result.names.heading({"file", "terms"});
  for (const std::size_t number : made.of) result.names.add({work.paths[number], std::to_string(terms[number])});
  result.failures = std::move(made.failures);
  set_rows(result, std::move(made.rows));
  return result;
}

}  // namespace

void add_document_features(CLI::App& features, Context& context) {
  CLI::App* command = make_command(features, context, "documents",
                                   "Term frequencies of texts, hashed to a number of values", document_examples);
  const auto options = std::make_shared<DocumentOptions>();
  add_feature_options(*command, *options, "Texts, and folders of them",
                      "The rows that are written: .npy, .csv, .fvecs or .fbin");
  command->add_option("--dimensions", options->dimensions, "Values of a row, to which terms are hashed")
      ->check(CLI::Range(1, 1 << 16))
      ->type_name("COUNT")
      ->capture_default_str();
  command->add_flag("--idf", options->idf, "Multiply each column with ln((1 + n) / (1 + texts that have it)) + 1");
  command->add_flag("--unit", options->unit, "Divide each row by its Euclidean length");
  command->add_flag("--all-files", options->all_files, "Of folders take every file (default: .txt, .text and .md)");
  command->callback([&context, options] {
    context.action = [&context, options] {
      return run_features({"documents", endings_of_texts(options->all_files), "texts"}, *options, context,
                          [&](FeatureWork&& work) { return make_documents(std::move(work), *options); });
    };
  });
}

}  // namespace proxel::tool
