// proxel words: the nearest words of a list, for words that are given, typed or piped.

#include <algorithm>
#include <memory>
#include <optional>

#include <fmt/format.h>
#include <unistd.h>

#include "console.hpp"
#include "devices.hpp"
#include "format.hpp"
#include "interrupt.hpp"
#include "json_output.hpp"
#include "line_stream.hpp"
#include "proxel/permutation.hpp"
#include "text_file.hpp"
#include "tool.hpp"
#include "trace.hpp"

namespace proxel::tool {
namespace {

constexpr const char* examples = R"(Examples:
  proxel words /usr/share/dict/words --query recieve
      the five words that take the fewest insertions, deletions and substitutions
  proxel words /usr/share/dict/words
      asks for words until Ctrl-D
  tr -sc '[:alpha:]' '\n' < letter.txt | proxel words /usr/share/dict/words -k 1 --device cuda
      the nearest word of each word of a text; answers come in batches as the words do
  proxel words /usr/share/dict/words --query recieve --permutants 64 --fraction 0.1
      compares a tenth of the words alone, those that a permutation index puts first: quicker
      where comparing is dear, and now and then not the nearest ('proxel bench words' tells)
  proxel words reads.txt --bytes --queries-from probes.txt -k 3 --json
      sequences of any bytes, a line each)";

struct Options {
  std::string file;
  std::vector<std::string> queries;
  std::string queries_file;
  std::uint64_t k = 5;
  std::string device = "cpu";
  bool bytes = false;
  bool trace = false;
  std::uint32_t permutants = 0;  // 0: every word is compared
  double fraction = 0.1;
  std::string permutation_distance = "footrule";
  std::uint64_t seed = 1;
  std::size_t batch = 10000;
  int delay = 10;
};

// Strings of lines; what is at fault is told with its place.
// @param before  lines that came before these
Strings strings_of(const std::vector<std::string>& lines, StringUnits units, const std::string& where,
                   std::uint64_t before = 0) {
  Strings strings(units);
  for (std::size_t i = 0; i < lines.size(); ++i) try {
      strings.add(lines[i]);
    } catch (const Error& error) {
      throw Error(ErrorCode::invalid_argument, fmt::format("{}, line {}", where, before + i + 1),
                  "is not UTF-8; --bytes compares any bytes");
    }
  return strings;
}

nlohmann::ordered_json to_json(const std::string& query, const Neighbors& found, std::uint64_t row,
                               const std::vector<std::string>& words) {
  nlohmann::ordered_json nearest = nlohmann::ordered_json::array();
  for (std::uint64_t rank = 0; rank < found.indices.columns(); ++rank)
    if (const std::uint32_t index = found.indices(row, rank); index != no_neighbor)
      nearest.push_back({{"word", words[index]}, {"index", index},
                         {"distance", static_cast<std::uint32_t>(found.distances(row, rank))}});
  return {{"query", query}, {"nearest", nearest}};
}

void print_nearest(const std::string& query, const Neighbors& found, std::uint64_t row,
                   const std::vector<std::string>& words) {
  fmt::print("{}", styled(Style::strong, query));
  for (std::uint64_t rank = 0; rank < found.indices.columns(); ++rank)
    if (const std::uint32_t index = found.indices(row, rank); index != no_neighbor)
      fmt::print("\t{} {}", words[index],
                 styled(Style::faint, fmt::format("{:.0f}", found.distances(row, rank))));
  fmt::print("\n");
}

// The words on a device, compared all or in part.
class WordIndex {
 public:
  WordIndex(Device& device, const Strings& words, const Options& options) : options_(options) {
    const StringIndexOptions strings{.timing = options.trace ? Timing::passes : Timing::whole};
    if (options.permutants == 0) {
      exact_.emplace(device, words, strings);
      return;
    }
    PermutationOptions permutations;
    permutations.permutants = options.permutants;
    permutations.seed = options.seed;
    permutations.distance = permutation_distance_from_string(options.permutation_distance);
    permutations.strings = strings;
    approximate_.emplace(device, words, permutations);
    approximate_->candidates(options.k, options.fraction);  // refuses a fraction that is none
  }

  Neighbors search(const Strings& queries) {
    return exact_ ? exact_->search(queries, options_.k)
                  : approximate_->search(queries, options_.k, options_.fraction);
  }
  const SearchTimes& times() const { return exact_ ? exact_->times() : approximate_->times(); }
  double build_milliseconds() const {
    return exact_ ? exact_->build_milliseconds() : approximate_->build_milliseconds();
  }
  std::uint64_t compared() const {
    return exact_ ? exact_->size() : approximate_->candidates(options_.k, options_.fraction);
  }

 private:
  const Options& options_;
  std::optional<StringIndex> exact_;
  std::optional<PermutationIndex> approximate_;
};

struct Totals {
  std::uint64_t queries = 0;
  double compute_milliseconds = 0;
  double total_milliseconds = 0;
  std::vector<PassTime> passes;

  void add(std::uint64_t count, const SearchTimes& times) {
    queries += count;
    compute_milliseconds += times.compute_milliseconds;
    total_milliseconds += times.total_milliseconds;
    passes.insert(passes.end(), times.passes.begin(), times.passes.end());
  }
};

int run(Options options, const Context& context) {
  const StringUnits units = options.bytes ? StringUnits::bytes : StringUnits::code_points;
  const auto device = open_checked(options.device);
  const std::vector<std::string> words = read_lines(options.file);
  if (words.empty()) throw Error(ErrorCode::invalid_argument, options.file, "has no lines");
  options.k = std::min<std::uint64_t>(options.k, words.size());  // there are no more to find
  WordIndex index(*device, strings_of(words, units, options.file), options);

  nlohmann::ordered_json answers = nlohmann::ordered_json::array();
  Totals totals;
  const auto answer = [&](const std::vector<std::string>& queries, const std::string& where,
                          std::uint64_t before) {
    throw_if_interrupted();
    const Neighbors found = index.search(strings_of(queries, units, where, before));
    totals.add(queries.size(), index.times());
    for (std::uint64_t row = 0; row < queries.size(); ++row)
      if (context.json) answers.push_back(to_json(queries[row], found, row, words));
      else print_nearest(queries[row], found, row, words);
    std::fflush(stdout);
  };

  const auto answer_all = [&](const std::vector<std::string>& queries, const std::string& where) {
    for (std::size_t first = 0; first < queries.size(); first += options.batch) {
      const auto begin = queries.begin() + static_cast<std::ptrdiff_t>(first);
      const std::size_t count = std::min(options.batch, queries.size() - first);
      answer({begin, begin + static_cast<std::ptrdiff_t>(count)}, where, first);
    }
  };

  if (!options.queries.empty()) answer_all(options.queries, "--query");
  if (!options.queries_file.empty()) answer_all(read_lines(options.queries_file), options.queries_file);
  if (options.queries.empty() && options.queries_file.empty()) {
    const bool asks = isatty(STDIN_FILENO) != 0 && !context.json;
    if (asks)
      fmt::print(stderr, "{} words; type one, Ctrl-D ends\n", with_separators(words.size()));
    LineStream lines(STDIN_FILENO);
    std::uint64_t before = 0;
    for (auto batch = lines.next(options.batch, options.delay); !batch.empty();
         before += batch.size(), batch = lines.next(options.batch, options.delay))
      answer(batch, "standard input", before);
  }

  if (context.json) {
    print({{"command", "words"},
           {"file", options.file},
           {"words", words.size()},
           {"units", options.bytes ? "bytes" : "code points"},
           {"k", options.k},
           {"compared_per_query", index.compared()},
           {"permutants", options.permutants},
           {"device", device->info().id},
           {"device_name", device->info().name},
           {"build_ms", index.build_milliseconds()},
           {"queries", totals.queries},
           {"compute_ms", totals.compute_milliseconds},
           {"total_ms", totals.total_milliseconds},
           {"answers", answers}});
    return exit_success;
  }
  if (options.trace) {
    fmt::print("\n");
    trace_table(totals.passes).print();
    fmt::print("\n{} queries among {} words, {} compared, Levenshtein, k = {}, on {}, {}\nbuild {} ms; "
               "compute {}, all calls {} ms\n", with_separators(totals.queries), with_separators(words.size()),
               with_separators(index.compared()), options.k, device->info().id, full_name(device->info()),
               significant(index.build_milliseconds()), significant(totals.compute_milliseconds),
               significant(totals.total_milliseconds));
  }
  return exit_success;
}

}  // namespace

void add_words(CLI::App& app, Context& context) {
  CLI::App* command = make_command(
      app, context, "words", "Find the nearest words of a list (Levenshtein distance)", examples);
  const auto options = std::make_shared<Options>();
  command->add_option("FILE", options->file, "The words, one per line, UTF-8")
      ->required()->type_name("");
  command->add_option("--query", options->queries,
                      "A word to look for; may be repeated. Without any they are read from "
                      "standard input, a line each")
      ->type_name("WORD")->allow_extra_args(false);
  command->add_option("--queries-from", options->queries_file, "A file of words to look for")
      ->type_name("FILE");
  command->add_option("-k,--k", options->k, "Nearest words per query")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 20))->type_name("COUNT")
      ->capture_default_str();
  command->add_flag("--bytes", options->bytes,
                    "Compare bytes instead of the code points of UTF-8; lines may then hold anything. JSON shows U+FFFD for what is not UTF-8: go by the index");
  command->add_option("--device", options->device, device_help)
      ->type_name("ID")->capture_default_str();
  command->add_option("--batch", options->batch, "Words that are looked for at once, at most")
      ->check(CLI::Range(std::size_t{1}, std::size_t{1} << 20))->type_name("COUNT")
      ->capture_default_str();
  command->add_option("--delay", options->delay,
                      "How long the first word of a batch waits for others, milliseconds")
      ->check(CLI::Range(0, 60000))->type_name("MS")->capture_default_str();
  const std::string permutation = "Permutation index";
  command->add_option("--permutants", options->permutants,
                      "Compare only the words whose order of this many permutants is most like the "
                      "query's; 0 compares all, and the answer is exact")
      ->check(CLI::Range(0u, std::uint32_t{passes::most_permutants}))->type_name("COUNT")
      ->capture_default_str()->group(permutation);
  command->add_option("--fraction", options->fraction, "Of the words, that is compared")
      ->type_name("SHARE")->capture_default_str()->group(permutation);
  command->add_option("--permutation-distance", options->permutation_distance,
                      "Between two orders of the permutants")
      ->check(CLI::IsMember({"footrule", "spearman-rho", "kendall-tau"}))->type_name("NAME")
      ->capture_default_str()->group(permutation);
  command->add_option("--seed", options->seed, "Of the choice of permutants")
      ->type_name("NUMBER")->capture_default_str()->group(permutation);
  command->add_flag("--trace", options->trace, "Print every pass with its device time at the end");
  command->callback([&context, options] {
    context.action = [&context, options] { return run(*options, context); };
  });
}

}  // namespace proxel::tool
