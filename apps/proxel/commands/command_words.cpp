// proxel words: the nearest words of a list, for words that are given, typed or piped.

#include <algorithm>
#include <memory>
#include <optional>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include "console.hpp"
#include "format.hpp"
#include "interrupt.hpp"
#include "input_lines.hpp"
#include "json_output.hpp"
#include "line_stream.hpp"
#include "long_table.hpp"
#include "number_checks.hpp"
#include "outputs.hpp"
#include "search_options.hpp"
#include "tool.hpp"
#include "trace.hpp"
#include "word_index.hpp"

namespace proxel::tool::words_command {
namespace {

constexpr const char* examples = R"(Examples:
  proxel words /usr/share/dict/words --query recieve
      the five words that take the fewest insertions, deletions and substitutions
  proxel words /usr/share/dict/words
      asks for words until Ctrl-D
  tr -sc '[:alpha:]' '\n' < letter.txt | proxel words /usr/share/dict/words -k 1 --device cuda
      the nearest word of each word of a text; answers come in batches as the words do
  cut -d, -f1 people.csv | proxel words - --query Smiht
      among words that another program writes; words.txt.gz is read as it is, too
  proxel words /usr/share/dict/words --query recieve --permutants 64 --fraction 0.1
      compares a tenth of the words alone, those that a permutation index puts first: quicker
      where comparing is dear, and now and then not the nearest ('proxel-bench words' tells)
  proxel words /usr/share/dict/words --query recieve --radius 2
      every word at most two edits away
  proxel words /usr/share/dict/words --permutants 64 --recall 0.95 --save words.index
      chooses the fraction that finds 95 % of the nearest, and keeps the index in a file
  proxel words words.index --query recieve --add new.txt --remove old.txt
      an index that was saved, without the words of one file and with those of another
  proxel words /usr/share/dict/words --queries-from typed.txt --table meant.csv.gz
      one long table: query,rank,id,distance,label, the query's text, the word's number from 0, and the word
  proxel words reads.txt --bytes --queries-from probes.txt -k 3 --json
      sequences of any bytes, a line each)";

struct Options : WordOptions {
  std::vector<std::string> queries;
  std::string queries_file;
  DeviceOptions devices;
  std::string save, table;
  bool force = false;
  std::size_t batch = 10000;
  int delay = 10;
};

nlohmann::ordered_json to_json(const std::string& query, const RangeNeighbors& found, std::uint64_t row,
                               const WordIndex& index) {
  nlohmann::ordered_json nearest = nlohmann::ordered_json::array();
  for (std::uint64_t slot = found.offsets[row]; slot < found.offsets[row + 1]; ++slot)
    nearest.push_back({{"word", index.text(found.indices[slot])},
                       {"index", found.indices[slot]},
                       {"distance", static_cast<std::uint32_t>(found.distances[slot])}});
  return {{"query", query}, {"nearest", nearest}};
}

void print_nearest(const std::string& query, const RangeNeighbors& found, std::uint64_t row, const WordIndex& index) {
  fmt::print("{}", styled(Style::strong, query));
  for (std::uint64_t slot = found.offsets[row]; slot < found.offsets[row + 1]; ++slot)
    fmt::print("\t{} {}", index.text(found.indices[slot]),
               styled(Style::faint, fmt::format("{:.0f}", found.distances[slot])));
  fmt::print("\n");
}

void add_rows(LongTable& table, const std::string& query, const RangeNeighbors& found, std::uint64_t row,
              const WordIndex& index) {
  for (std::uint64_t slot = found.offsets[row]; slot < found.offsets[row + 1]; ++slot)
    table.add(query, slot - found.offsets[row] + 1, std::to_string(found.indices[slot]), found.distances[slot], {},
              index.text(found.indices[slot]));
}

struct Totals {
  std::uint64_t queries = 0;
  double compute_milliseconds = 0;
  double total_milliseconds = 0;
  std::vector<PassTime> passes;
  SearchReport devices;  // what each of several took

  void add(std::uint64_t count, const SearchReport& report) {
    const SearchTimes& times = report.times;
    queries += count;
    compute_milliseconds += times.compute_milliseconds;
    total_milliseconds += times.total_milliseconds;
    passes.insert(passes.end(), times.passes.begin(), times.passes.end());
    devices.devices.resize(report.devices.size());
    for (std::size_t i = 0; i < report.devices.size(); ++i)
      devices.devices[i].milliseconds += report.devices[i].milliseconds;
  }
};

// Standard input cannot hold the words and what is looked for.
void check_standard_input(const Options& options) {
  if (options.file == "-" && options.queries.empty() && options.queries_file.empty() && options.save.empty())
    throw Error(ErrorCode::invalid_argument, "FILE",
                "is '-', standard input, so what is looked for is to be given by --query or --queries-from");
}

int run(const Options& options, const Context& context) {
  check_standard_input(options);
  Outputs outputs(options.force, {options.file, options.queries_file, options.add, options.remove});
  if (!options.save.empty()) outputs.plan("--save", options.save, FileKind::permutation_index);
  plan_table(outputs, options.table, context.json);
  ProgressBar bar(fmt::format("opening {}", fmt::join(options.devices.devices, ",")));
  const SearchedDevices devices(options.devices);
  WordIndex index(devices, options, bar);
  if (const auto& choice = index.choice(); choice && !context.json) {
    clear_status();
    fmt::print(stderr, "{}\n", describe(*choice, "words"));
  }
  if (!options.save.empty()) outputs.write(options.save, [&](const std::string& place) { index.save(place); });

  nlohmann::ordered_json answers = nlohmann::ordered_json::array();
  LongTable table(outputs, options.table, {.of_rows = true});
  const bool prints = !context.json && options.table.empty();
  Totals totals;
  const auto answer = [&](const std::vector<std::string>& queries, const std::string& where, std::uint64_t before) {
    throw_if_interrupted();
    const RangeNeighbors found = index.search(strings_of(queries, index.units(), where, before), bar.callback());
    totals.add(queries.size(), found.report);
    clear_status();
    for (std::uint64_t row = 0; row < queries.size(); ++row) {
      add_rows(table, queries[row], found, row, index);
      if (context.json) answers.push_back(to_json(queries[row], found, row, index));
      if (prints) print_nearest(queries[row], found, row, index);
    }
    if (options.table == "-") table.flush();
    flush_stdout();
  };

  const auto answer_all = [&](const std::vector<std::string>& queries, const std::string& where) {
    for (std::size_t first = 0; first < queries.size(); first += options.batch) {
      const auto begin = queries.begin() + static_cast<std::ptrdiff_t>(first);
      const std::size_t count = std::min(options.batch, queries.size() - first);
      answer({begin, begin + static_cast<std::ptrdiff_t>(count)}, where, first);
    }
  };

  bar.set_title("searching");
  if (!options.queries.empty()) answer_all(options.queries, "--query");
  if (!options.queries_file.empty()) answer_all(read_lines(options.queries_file), options.queries_file);
  if (options.queries.empty() && options.queries_file.empty() && options.save.empty()) {
    bar.finish();  // words may be typed where it would be
    const bool asks = isatty(STDIN_FILENO) != 0 && !context.json;
    if (asks) fmt::print(stderr, "{} words; type one, Ctrl-D ends\n", with_separators(index.size()));
    LineStream lines(STDIN_FILENO);
    std::uint64_t before = 0;
    for (auto batch = lines.next(options.batch, options.delay); !batch.empty();
         before += batch.size(), batch = lines.next(options.batch, options.delay))
      answer(batch, "standard input", before);
  }

  table.close();
  outputs.commit();
  bar.finish();

  if (context.json) {
    nlohmann::ordered_json document = {{"command", "words"},
                                       {"file", options.file},
                                       {"words", index.size()},
                                       {"units", index.units() == StringUnits::bytes ? "bytes" : "code points"}};
    if (options.radius)
      document["radius"] = *options.radius;
    else
      document["k"] = options.k;
    if (const auto& choice = index.choice())
      document["choice"] = {{"fraction", choice->fraction}, {"recall", choice->recall}, {"queries", choice->queries}};
    document.update({{"compared_per_query", index.compared()}, {"permutants", index.permutants()}});
    devices.describe(document);
    document.update({{"build_ms", index.build_milliseconds()},
                     {"queries", totals.queries},
                     {"compute_ms", totals.compute_milliseconds},
                     {"total_ms", totals.total_milliseconds}});
    index.describe(totals.devices, document);
    document["answers"] = answers;
    if (!options.table.empty()) document["files"] = {options.table};
    print(document);
    return exit_success;
  }
  if (options.trace && options.table != "-") {
    fmt::print("\n");
    trace_table(totals.passes).print();
    fmt::print(
        "\n{} queries among {} words, {} compared, {}, on {}\nbuild {} ms; "
        "compute {}, all calls {} ms\n",
        with_separators(totals.queries), with_separators(index.size()), with_separators(index.compared()),
        options.radius ? fmt::format("radius {}", *options.radius) : fmt::format("k = {}", options.k),
        devices.description(), significant(index.build_milliseconds()), significant(totals.compute_milliseconds),
        significant(totals.total_milliseconds));
    for (const std::string& remark : index.remarks(totals.devices)) fmt::print("{}\n", remark);
  }
  return exit_success;
}

}  // namespace

void add(CLI::App& app, Context& context) {
  CLI::App* command = make_command(app, context, "words", "Find the nearest words of a list", examples);
  const auto options = std::make_shared<Options>();
  command
      ->add_option("FILE", options->file,
                   "The words, one per line, UTF-8, plain or gzip, of a file, a pipe or '-' for standard "
                   "input, empty lines left out; or an index that --save wrote")
      ->required()
      ->type_name("");
  command
      ->add_option("--query", options->queries,
                   "A word to look for; may be repeated. Without any they are read from "
                   "standard input, a line each")
      ->type_name("WORD")
      ->allow_extra_args(false);
  command->add_option("--queries-from", options->queries_file, "A file of words to look for, or '-'")
      ->type_name("FILE");
  auto* k = command->add_option("-k,--k", options->k, "Nearest words per query")
                ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 20))
                ->type_name("COUNT")
                ->capture_default_str();
  command->add_option("--radius", options->radius, "Every word that is at most so far away, instead of the k nearest")
      ->check(non_negative_number())
      ->type_name("DISTANCE")
      ->excludes(k);
  command->add_option("--add", options->add, "A file of words that are added")->type_name("FILE");
  command
      ->add_option("--remove", options->remove, "A file of words that are removed first, every one of the same letters")
      ->type_name("FILE");
  command->add_flag("--bytes", options->bytes,
                    "Compare bytes instead of the code points of UTF-8; lines may then hold anything. "
                    "JSON shows U+FFFD for what is not UTF-8: go by the index");
  command
      ->add_option("--distance", options->distance,
                   "levenshtein counts insertions, deletions and substitutions; hamming the places that differ, "
                   "those that only the longer word has among them")
      ->check(CLI::IsMember({"levenshtein", "hamming"}))
      ->type_name("NAME")
      ->capture_default_str();
  add_device_options(*command, options->devices);
  add_memory_limit_option(
      *command, options->memory_limit,
      "Device memory that the words may take, with a unit: 512MiB, 1.5GiB; at least 1 byte. Words that "
      "need more pass through in parts, of one word at least (default: four fifths of the device's "
      "memory)");
  command->add_option("--batch", options->batch, "Words that are looked for at once, at most")
      ->check(CLI::Range(std::size_t{1}, std::size_t{1} << 20))
      ->type_name("COUNT")
      ->capture_default_str();
  command->add_option("--delay", options->delay, "How long the first word of a batch waits for others, milliseconds")
      ->check(CLI::Range(0, 60000))
      ->type_name("MS")
      ->capture_default_str();
  add_permutation_options(*command, options->permutations, "words");
  command->add_option("--save", options->save, "Write the index to a file, which FILE may be another time")
      ->type_name("FILE")
      ->group(permutation_group);
  add_table_option(*command, options->table);
  add_force_option(*command, options->force);
  command->add_flag("--trace", options->trace, "Print every pass with its device time at the end");
  command->callback([&context, options] { context.action = [&context, options] { return run(*options, context); }; });
}

}  // namespace proxel::tool::words_command
