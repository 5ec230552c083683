// proxel documents: the texts of folders that are most like one.

#include <algorithm>
#include <filesystem>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "console.hpp"
#include "csv_field.hpp"
#include "documents/document_index.hpp"
#include "evaluation/precision_output.hpp"
#include "features/terms.hpp"
#include "files/file_bytes.hpp"
#include "format.hpp"
#include "json_output.hpp"
#include "signatures/image_files.hpp"
#include "tool.hpp"
#include "trace.hpp"

namespace proxel::tool::documents_command {
namespace {

constexpr const char* examples = R"(Examples:
  proxel documents notes --like notes/gpu.md
      the 10 texts of the folder, and of those below it, that are most like one, and the words they share
  proxel documents notes letters --text "memory bandwidth of graphics processors" -k 5
      those in which such words count most
  proxel documents 20news --all-files --evaluate --queries 1000
      how often a text's nearest are of its group, in 20news/sci.space and 20news/rec.autos
  proxel documents 20news --all-files --like letter.txt --permutants 64 --recall 0.95 --device cuda
      only texts that see 64 permutants in a like order are compared (Lopresti et al. 2013); some may be missed

A text is how often each of its terms occurs, a run of letters and digits in small letters, where
terms that few texts have weigh more: ln((1 + n) / (1 + texts that have it)) + 1. Terms are hashed to
--dimensions places, so that two may share one (docs/features.md). Similarity is the cosine between
such vectors: 1 of a text to itself, 0 where no term is shared. Without --permutants every text is
compared, and the answer is exact. A --like that is one of the folder is left out of its answer.

Exit codes: 0 found; 1 found, but some texts could not be read and were left out; 2 there is
nothing to search, or the options are wrong; more in 'proxel --help'.)";

struct Options {
  std::vector<std::string> folders, like, texts;
  std::uint64_t k = 10;
  std::uint32_t dimensions = 4096;
  bool all_files = false, evaluate = false, csv = false, trace = false;
  std::string labels;
  DeviceOptions devices;
  std::uint64_t queries = UINT64_MAX;  // of an evaluation
  PermutationChoice permutation;
};

// What is looked for.
struct Queries {
  std::vector<std::string> names, texts;
  std::vector<std::uint32_t> selves;  // which of the documents each is; no_neighbor: none
  Matrix<float> rows;
};

void check(const Options& options) {
  check_permutations(options.permutation);
  if (options.like.empty() && options.texts.empty() && !options.evaluate)
    throw Error(ErrorCode::invalid_argument, "documents",
                "nothing to look for was given: --like FILE names a text, --text WORDS is one, --evaluate takes those "
                "of the folder");
}

std::uint32_t number_of(const Documents& documents, const std::string& path) {
  std::error_code ignored;
  for (std::uint32_t i = 0; i < documents.paths.size(); ++i)
    if (std::filesystem::equivalent(documents.paths[i], path, ignored)) return i;
  return no_neighbor;
}

std::string text_of(const std::string& path) {
  return std::string(files::as_text(files::file_bytes(path, features::most_text_bytes)));
}

Queries read_queries(const Options& options, const Documents& documents) {
  Queries queries;
  for (const std::string& path : options.like) {
    queries.names.push_back(path);
    queries.texts.push_back(text_of(path));
    queries.selves.push_back(number_of(documents, path));
  }
  for (const std::string& text : options.texts) {
    queries.names.push_back(text);
    queries.texts.push_back(text);
    queries.selves.push_back(no_neighbor);
  }
  queries.rows = Matrix<float>(queries.texts.size(), options.dimensions);
  for (std::size_t i = 0; i < queries.texts.size(); ++i)
    row_of_text(queries.names[i], queries.texts[i], documents, queries.rows.data() + i * options.dimensions);
  return queries;
}

// What is told of one that was found.
struct Line {
  std::string path;
  float similarity;
  std::vector<std::string> shared;  // terms
};

Line line_of(const Documents& documents, const RangeNeighbors& found, std::uint64_t slot, const std::string& text) {
  constexpr std::size_t most_terms = 5;
  const std::string& path = documents.paths[found.indices[slot]];
  return {path, 1 - found.distances[slot], shared_terms(text, text_of(path), documents, most_terms)};
}

template <typename Take>
void for_each_line(const Queries& queries, const Documents& documents, const RangeNeighbors& found, const Take& take) {
  for (std::uint64_t query = 0; query < queries.names.size(); ++query)
    for (std::uint64_t slot = found.offsets[query]; slot < found.offsets[query + 1]; ++slot)
      take(query, slot - found.offsets[query] + 1, line_of(documents, found, slot, queries.texts[query]));
}

void print_table(const Queries& queries, const Documents& documents, const RangeNeighbors& found) {
  Table table({{"query"}, {"rank", true}, {"similarity", true}, {"text"}, {"shares"}});
  for_each_line(queries, documents, found, [&](std::uint64_t query, std::uint64_t rank, const Line& line) {
    table.add({rank == 1 ? printable_name(queries.names[query]) : "", std::to_string(rank),
               fmt::format("{:.4f}", line.similarity), printable_name(line.path),
               fmt::format("{}", fmt::join(line.shared, " "))});
  });
  table.print();
}

void print_csv(const Queries& queries, const Documents& documents, const RangeNeighbors& found) {
  fmt::print("query,rank,similarity,text,shares\n");
  for_each_line(queries, documents, found, [&](std::uint64_t query, std::uint64_t rank, const Line& line) {
    fmt::print("{},{},{},{},{}\n", csv_field(queries.names[query]), rank, line.similarity, csv_field(line.path),
               csv_field(fmt::format("{}", fmt::join(line.shared, " "))));
  });
}

nlohmann::ordered_json document_of(const Options& options, const Documents& documents, const DocumentIndex& index,
                                   const SearchReport& report, const SearchedDevices& devices) {
  nlohmann::ordered_json document = {{"command", "documents"},
                                     {"texts", documents.paths.size()},
                                     {"not_read", documents.failures.size()},
                                     {"without_terms", documents.without_terms},
                                     {"dimensions", options.dimensions}};
  devices.describe(document);
  document.update({{"method", report.method},
                   {"compared", report.compared},
                   {"build_ms", index.build_milliseconds()},
                   {"times", to_json(report)}});
  index.describe(report, document);
  if (index.fraction())
    document["chosen"] = {{"fraction", index.fraction()->fraction}, {"recall", index.fraction()->recall}};
  return document;
}

int find(const Options& options, const Context& context, const Documents& documents, const SearchedDevices& devices,
         DocumentIndex& index, ProgressBar& bar) {
  const Queries queries = read_queries(options, documents);
  bar.set_title("searching");
  const RangeNeighbors found = index.search(queries.rows.view(), options.k, queries.selves, bar.callback());
  bar.finish();
  const int code = documents.failures.empty() ? exit_success : exit_answer_is_no;
  if (context.json) {
    nlohmann::ordered_json document = document_of(options, documents, index, found.report, devices);
    document["k"] = options.k;
    auto answers = nlohmann::ordered_json::array();
    for (const std::string& name : queries.names)
      answers.push_back({{"query", name}, {"found", nlohmann::ordered_json::array()}});
    for_each_line(queries, documents, found, [&](std::uint64_t query, std::uint64_t, const Line& line) {
      answers[query]["found"].push_back(
          {{"text", line.path}, {"similarity", json_float(line.similarity)}, {"shares", line.shared}});
    });
    document["answers"] = answers;
    print(document);
    return code;
  }
  if (options.csv) {
    print_csv(queries, documents, found);
    return code;
  }
  print_table(queries, documents, found);
  if (options.trace) {
    fmt::print("\n");
    trace_table(found.report.times.passes).print();
  }
  fmt::print("\n{} texts of {} values, {} on {}; compute {} ms\n", with_separators(documents.paths.size()),
             options.dimensions, found.report.method, devices.names(),
             significant(found.report.times.compute_milliseconds));
  if (const std::string line = index.division(found.report); !line.empty()) fmt::print("{}\n", line);
  if (index.fraction()) fmt::print("{}\n", describe(*index.fraction(), "texts"));
  return code;
}

int evaluate(const Options& options, const Context& context, const Documents& documents, const SearchedDevices& devices,
             DocumentIndex& index, ProgressBar& bar) {
  const Classes classes =
      options.labels.empty() ? classes_by_folder(documents.paths) : classes_by_file(options.labels, documents.paths);
  check_can_be_evaluated(classes, options.folders.front());
  const std::vector<std::uint32_t> drawn =
      drawn_images(documents.paths.size(), options.queries, options.permutation.seed);
  Matrix<float> rows(drawn.size(), options.dimensions);
  for (std::size_t i = 0; i < drawn.size(); ++i)
    std::copy_n(documents.rows.data() + std::size_t{drawn[i]} * options.dimensions, options.dimensions,
                rows.data() + i * options.dimensions);
  bar.set_title(fmt::format("{} queries", with_separators(drawn.size())));
  const RangeNeighbors found = index.search(rows.view(), precision_ranks.back(), drawn, bar.callback());
  bar.finish();
  PrecisionCount count(classes);
  for (std::uint64_t i = 0; i < drawn.size(); ++i)
    count.add(drawn[i], std::span(found.indices).subspan(found.offsets[i], found.count(i)));
  const int code = documents.failures.empty() ? exit_success : exit_answer_is_no;
  if (context.json) {
    nlohmann::ordered_json document = document_of(options, documents, index, found.report, devices);
    document.update(
        {{"seed", options.permutation.seed}, {"all", to_json(count.of_all())}, {"classes", classes_json(count)}});
    print(document);
    return code;
  }
  precision_table(count, "texts").print();
  fmt::print(
      "\n{}: standard errors of 'all'\n{} of {} texts looked for, themselves left out; {} on {}; compute {} ms\n",
      standard_errors(count.of_all()), with_separators(drawn.size()), with_separators(documents.paths.size()),
      found.report.method, devices.names(), significant(found.report.times.compute_milliseconds));
  if (const std::string line = index.division(found.report); !line.empty()) fmt::print("{}\n", line);
  if (index.fraction()) fmt::print("{}\n", describe(*index.fraction(), "texts"));
  return code;
}

int run(const Options& options, const Context& context) {
  check(options);
  ProgressBar bar(fmt::format("opening {}", fmt::join(options.devices.devices, ",")));
  const SearchedDevices devices(options.devices);
  bar.set_title("reading texts");
  const Documents documents = read_documents(options.folders, options.dimensions, options.all_files, bar.callback());
  if (!context.json) {
    for (const files::FileFailure& failure : documents.failures)
      warn(fmt::format("{}: {}", printable_name(failure.path), failure.reason));
    if (documents.without_terms != 0)
      warn(fmt::format("{} texts have no word, and were left out", with_separators(documents.without_terms)));
  }
  DocumentIndex index(devices, documents, options.permutation, options.trace ? Timing::passes : Timing::whole,
                      options.evaluate ? precision_ranks.back() : options.k, bar);
  return options.evaluate ? evaluate(options, context, documents, devices, index, bar)
                          : find(options, context, documents, devices, index, bar);
}

}  // namespace

void add(CLI::App& app, Context& context) {
  CLI::App* command =
      make_command(app, context, "documents", "Find the texts of folders that are most like one", examples);
  const auto options = std::make_shared<Options>();
  command->add_option("FOLDER", options->folders, "Its texts, and those below it, are searched; also files")
      ->required()
      ->type_name("");
  auto* like = command->add_option("--like", options->like, "A text to look for; may be repeated")
                   ->type_name("FILE")
                   ->allow_extra_args(false);
  auto* text = command->add_option("--text", options->texts, "Words to look for; may be repeated")
                   ->type_name("WORDS")
                   ->allow_extra_args(false);
  auto* k = command->add_option("-k,--k", options->k, "Texts that are found, at most")
                ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{UINT32_MAX} - 2))
                ->type_name("COUNT")
                ->capture_default_str();
  command->add_option("--dimensions", options->dimensions, "Values of a text's vector, to which terms are hashed")
      ->check(CLI::Range(1, 1 << 16))
      ->type_name("COUNT")
      ->capture_default_str();
  command->add_flag("--all-files", options->all_files, "Take every file (default: .txt, .text and .md)");
  add_device_options(*command, options->devices);
  auto* evaluate = command->add_flag("--evaluate", options->evaluate,
                                     "Measure the precision at 1, 5 and 10 of texts by their classes, the names of the "
                                     "folders that they lie in");
  evaluate->excludes(like)->excludes(text)->excludes(k);
  command->add_option("--labels", options->labels, "Classes by a file instead: lines of path,class")
      ->type_name("FILE")
      ->needs(evaluate);
  command->add_option("--queries", options->queries, "Look for so many texts, drawn at random, instead of all")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{UINT32_MAX}))
      ->type_name("COUNT")
      ->needs(evaluate);
  add_permutation_options(*command, options->permutation, "texts");
  command->get_option("--seed")
      ->description("Of the choice of permutants, and of the drawing of --queries")
      ->group(command->get_option("--device")->get_group());
  command->add_flag("--csv", options->csv, "Print query,rank,similarity,text,shares instead of a table")
      ->excludes(evaluate);
  command->add_flag("--trace", options->trace, "Print every pass with its device time");
  command->callback([&context, options] { context.action = [&context, options] { return run(*options, context); }; });
}

}  // namespace proxel::tool::documents_command
